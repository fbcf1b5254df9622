/** One statement of the specification's sections 2 to 9 (and of what section 1 says of every page), and the test that sees it kept. */
export interface Row {
  section: string
  says: string
  /** The file of the test. */
  test: string
  title: string
}

const LANDING = 'tests/pages/spec-landing.spec.ts'
const AUTH = 'tests/pages/spec-auth.spec.ts'
const ROUTES = 'tests/pages/spec-routes.spec.ts'
const FRAME = 'tests/pages/spec-frame.spec.ts'
const CHAT = 'tests/pages/spec-support.spec.ts'
const RECOVERY = 'tests/pages/recovery.spec.ts'
const UPLOADING = 'tests/pages/player-uploads.spec.ts'
const ADDRESSES = 'tests/pages/spec-addresses.spec.ts'
const REQUESTS = 'tests/pages/spec-requests.spec.ts'
const CLIENT = 'tests/client/request.test.ts'
const FETCHING = 'tests/pages/spec-fetching.spec.ts'
const PIECES = 'tests/pages/spec-pieces.spec.ts'
const PLAYER_FOLDERS = 'tests/pages/player-folders.spec.ts'
const API = 'tests/api/specification.test.ts'
const CONSTANTS = 'tests/api/constants.test.ts'
const FOLDERS = 'tests/api/folders.test.ts'
const ACCOUNTS = 'tests/api/accounts.test.ts'
const INSTRUCTORS = 'tests/api/instructors.test.ts'
const LEADS = 'tests/api/leads.test.ts'
const MATRIX = 'tests/api/matrix.test.ts'
const PAYMENTS = 'tests/api/payments.test.ts'
const UPLOADS = 'tests/api/uploads.test.ts'
const CONNECTION = 'tests/pages/connection.spec.ts'
const JOURNEY = 'tests/pages/journey.spec.ts'

const fieldSays = 'with %s %j says: %s'
const addressed = 'the address chooses tab and kind, fills in the email, and an invitation opens player registration'
const everyAddress = 'every public address is there, under a heading of its own'
const notFound = 'any other address reads 404 Page Not Found'
const moved = 'an address that has moved leads to where it is now'
const failedPicture = 'a picture that does not load is hidden, and initials take its place'
const pictureOf = (where: string) => `a picture on ${where}: a bare name lies in /uploads/profile/, a path stays, none is the default`
const sports = "a card says 'Baseball', 'Softball' or 'Baseball/Softball', then 'Instructor', for one value or several"
const devices = 'a phone or a tablet is known by its name, and otherwise by less than 768 px'
const testing = "a developer-testing flag of 'enabled', and no other, adds dev_bypass=true and X-Dev-Testing: true"
const unauthorized = 'a 401 fails what a page asks for; asked who is signed in, it is nobody, and the stale flag is cleared'
const notJson = "another content type is 'Expected JSON response but got {type}'"
const unparseable = "what cannot be parsed is 'Invalid JSON response from server'"
const freshness = 'an answer is fresh for 60,000 ms, and shown while it is asked for anew for 300,000 ms'
const feedbackPaid = 'from feedback to receipt, share and folder'
const copyOnly = 'ratings and posts are named in copy only: nobody has a rating, and there is no call for either'
const unlike = 'elsewhere than on iOS an empty page has no fallback'
const emailStep = 'the email step has a field, Start now, Log in and a honeypot; the role step leads on, and back'
const wrongRole = 'the wrong role is told Access Denied on every screen, and the way to their own dashboard'
const stale = 'a flag without a user is a Session Error Detected, with Refresh Page and Return to Login'
const slow = 'while the session loads a screen says so: more after 3 s, and after 5 s what to do'
const noScript = 'the email step checks the address, keeps the lead, and leads to the role step and on'
const steps = 'the chat is 350 × 450, goes step by step, sends, refreshes my requests, and starts over after 5 s'
const grid = 'top instructors wait as 3 skeletons, come as cards with 3 skills, and Connect returns to the email step'
const phone = 'the mobile variant, by user agent, has the same way in, three steps, View Pricing and the legal links'
const narrow = 'the mobile variant, under 768 px, has the same way in, three steps, View Pricing and the legal links'
const questions = 'the FAQ has 10 questions, one open at a time, each can be closed; a mailto, and structured data'
const invitation = 'an invitation shows who invites, why, and the two ways on'
const known = 'an address with an account is told so, in red, and sent to log in'
const playerSays = 'a player registration says what is missing, and what the server says'
const instructorSays = 'an instructor registration asks for sport and skills, and says the server in our words'
const adminSays = 'an administrator registers by invitation alone; others are told why not'
const checkFails = 'a check that fails goes on to the role step, and so does a lead that is not saved'
const honeypot = 'whoever fills in the honeypot goes on, and nothing is asked or saved'
const carousel = 'How it works is four steps with Previous and Next, disabled at the ends, and dots'
const anonymous = 'anonymous visitors see the logo and Login, the footer and no chat; the page cannot be zoomed'
const titled = "the landing page's title and its structured data are the specification's"
const header = (role: string) => `a logged-in ${role} sees their avatar, name, navigation, Support, Logout and the chat button`
const login = (role: string, query: string, to: string) => `a login as ${role} with '${query}' greets, and after 500 ms leads to ${to}`
const asPlayer = login('player', '', '/player/dashboard')
const withPackage = login('player', '?package=triple', '/player/payment?package=triple')
const withInvite = login('player', '?invite=ABCD2345', '/player/connect-instructor?invite=ABCD2345')
const asInstructor = login('instructor', '?package=triple', '/instructor/dashboard')
const asAdmin = login('admin', '', '/admin/dashboard')
const selects = 'a registered player selects an instructor after 500 ms'
const paysNext = 'a registered player with a package goes on to pay after 500 ms'
const instructorJoins = 'a registered instructor is on their dashboard after 500 ms'
const loggedOut = 'a logout clears flag and user, says so, and leads to /auth after 50 ms'
const unheard = 'a logout that the server does not hear clears flag and user, says so, and leads to /auth after 50 ms'
const fails = 'a request that fails says so in red, with the reason or a word of comfort'
const oneToast = 'one toast at a time; F8 moves the focus there; more than 50 px to the right swipe it away'
const errorSays = 'an error says %s'
const unknownError = "an error that says nothing at all is 'Unknown error'"
const addressRules = 'the address left on the landing page has 5 to 254 characters'
const price = 'a feedback session is $15 and a Media Service Fee by video size, number of videos and notes'
const videos = 'a video has up to 500 MB: in one upload under 25 MB, in parts from there'
const lengths =
  'a registration takes a password of 8, a phone of 10, a username of 3 characters at least, 13 years, an email of 254 at most'

type Line = [says: string, test: string, title: string]
const section = (section: string, lines: Line[]): Row[] => lines.map(([says, test, title]) => ({ section, says, test, title }))

export const rows: Row[] = [
  ...section('1', [
    ["document title 'Professional Baseball & Softball Instruction'", FRAME, titled],
    ['structured data: price 0 USD, rating 4.8 from 145', FRAME, titled],
    ['the viewport is locked to no zoom', FRAME, anonymous],
    ["pages load lazily with a 'Loading...' spinner", FRAME, 'a page of the app says Loading... while its code is on the way'],
  ]),

  ...section('2 public', [
    ['/ is the landing page, another variant for mobile devices by user agent', PIECES, devices],
    [
      'a logged-in user leaves / after about 50 ms for the dashboard of their role',
      LANDING,
      'who is logged in goes to their dashboard after 50 ms',
    ],
    ['/auth is login and register in tabs', AUTH, addressed],
    ['role=player or role=instructor opens register with that type', AUTH, addressed],
    ['email prefills the email', AUTH, addressed],
    ['invite opens player registration', AUTH, addressed],
    ['package is passed on by a login', AUTH, withPackage],
    ['package is passed on by a player registration', AUTH, paysNext],
    ['redirect=login is a link parameter of the login', AUTH, addressed],
    ['a role or an invite forces the register tab', AUTH, addressed],
    ['a logged-in visitor of /auth is redirected to their dashboard', AUTH, 'who is logged in is sent from /auth to their dashboard'],
    [
      "/pricing: 'Dynamic, Fair Pricing', how it works, FAQ",
      ROUTES,
      'pricing is headed Dynamic, Fair Pricing, explains itself, and gets a visitor or a player started',
    ],
    [
      "'Get Started Now' goes to /player/dashboard if logged in, else /auth?role=player",
      ROUTES,
      'pricing is headed Dynamic, Fair Pricing, explains itself, and gets a visitor or a player started',
    ],
    [
      '/privacy-policy and /terms-of-service: April 28, 2025; placeholders for address, state, city',
      ROUTES,
      'the legal pages are dated April 28, 2025, and leave address, state and city to the owner',
    ],
    ['/faq: 10 questions, one open at a time, collapsible', ROUTES, questions],
    ['/faq: a contact-support mailto and structured data', ROUTES, questions],
    ['/support', ROUTES, 'the support page leads to a person: by mail, and by the chat for who is signed in'],
    [
      '/forgot-password and /reset-password',
      RECOVERY,
      'a forgotten password is replaced by a link that works once, and ends the other sessions',
    ],
    ['/forgot-email', RECOVERY, 'a forgotten address is answered the same way whether or not there is an account'],
    ['/fix-instructor-profile', ROUTES, 'an instructor whose profile lacks something finishes it, and is found'],
    [
      '/video-format-test',
      'tests/pages/format.spec.ts',
      'a video is looked at where it is: whether it uploads and plays, and what to do if not',
    ],
    [
      '/video-format-test/{id}',
      'tests/pages/format.spec.ts',
      'an address with an id tests a file, too, and leads a player to the video of that id',
    ],
    ['/i/{slug} is a public instructor profile', ROUTES, 'a public profile is a page with name, sport and skills'],
    ['/invite/{inviteCode} is the invite landing', ROUTES, invitation],
    ['/admin/register', AUTH, adminSays],
    ['/admin/login', AUTH, 'an administrator logs in at /admin/login'],
    ["any other path: '404 Page Not Found'", ADDRESSES, notFound],
    ['every public address is a page of its own', ADDRESSES, everyAddress],
  ]),

  ...section('2 roles', [
    ['player only: dashboard, connect-instructor, select-instructor, folder, payment, rewards, video-test', ROUTES, wrongRole],
    ['/player/payment (Buy Folders) takes package={packageType}', ROUTES, 'Buy Folders takes the package of its address'],
    ['instructor only: dashboard, folder, profile-editor, payments', ROUTES, wrongRole],
    [
      '/instructor/payments is payout onboarding with a payment provider',
      ROUTES,
      'payout onboarding asks for a link to the payment provider, follows it, and comes back',
    ],
    ['admin only: dashboard, support-management', ROUTES, wrongRole],
    ['each role sees its own screens', ADDRESSES, 'the right role gets in everywhere, under a heading of its own'],
    ['the header links to /admin/instructors', FRAME, header('admin')],
    ['which is not routed', ADDRESSES, notFound],
  ]),

  ...section('2 redirects', [
    ['/player/select-instructor goes to /player/connect-instructor', ROUTES, moved],
    ['/player/folder goes to /player/dashboard', ROUTES, moved],
    ['/instructor/{slug} goes to /i/{slug}', ROUTES, moved],
    ['a login with an invite goes to /player/select-instructor?invite={code}', AUTH, withInvite],
    ['the invite goes along to where that address leads', ROUTES, 'a player with an invitation selects the instructor who invites'],
    ["'View Profile' goes to /instructor/profile/{profileSlug}", LANDING, grid],
    ['/instructor/profile/{profileSlug} leads to the profile', ROUTES, moved],
  ]),

  ...section('2 protected routes', [
    ["while the session loads: 'Loading your account...'", ROUTES, slow],
    ["after 3 seconds also 'Taking longer than expected...'", ROUTES, slow],
    ["2 seconds later 'Having trouble loading?' with its text, 'Refresh Page' and 'Return to Login'", ROUTES, slow],
    ['without a session the user goes to /auth', ROUTES, 'without a session every screen leads to /auth'],
    ["a stored flag without a user: 'Session Error Detected' with its text and both buttons", ROUTES, stale],
    ["wrong role: 'Access Denied' with its text", ROUTES, wrongRole],
    ["'Go to Your Dashboard' leads a player and an instructor to theirs, others to /", ROUTES, wrongRole],
  ]),

  ...section('2 header and footer', [
    ['the logo links to /', FRAME, anonymous],
    ['anonymous users see Login, to /auth', FRAME, anonymous],
    ['but not on /auth', AUTH, addressed],
    ["logged in: avatar, 'Hi, {firstName}', first and last name, Support, Logout", FRAME, header('player')],
    ['player: Dashboard, Buy Folders', FRAME, header('player')],
    ["a 'Purchase {product}' button for players, where enabled", FRAME, header('player')],
    ['instructor: Dashboard', FRAME, header('instructor')],
    ['admin: Dashboard, Instructors', FRAME, header('admin')],
    ['footer: FAQ, Privacy Policy, Terms of Service; copyright of the current year', FRAME, anonymous],
  ]),

  ...section('2 landing page', [
    ["email step: a field, 'Start now', 'Log in' to /auth", LANDING, emailStep],
    ["a hidden honeypot labelled 'Leave this empty'", LANDING, emailStep],
    ["role step: 'Tell us who you are', 'I'm a Player', 'I'm an Instructor', 'Back to email'", LANDING, emailStep],
    ['a role navigates to /auth?role=… with the email', LANDING, emailStep],
    ["'How {product} Works': four steps, Previous and Next disabled at the ends, dots", LANDING, carousel],
    ["a 'Get Started' call to action", LANDING, carousel],
    ['a top-instructors grid', LANDING, grid],
    ['mobile is iPhone, iPad, iPod or Android by user agent', PIECES, devices],
    ['mobile is a width under 768 px', LANDING, narrow],
    ['skeleton cards: 3 on desktop', LANDING, grid],
    ['skeleton cards: 2 on mobile', LANDING, phone],
    ['mobile: the same email-then-role flow', LANDING, phone],
    ['the email-then-role flow without any script', CONNECTION, noScript],
    ["mobile: 'View Pricing' to /pricing, three steps, privacy and terms links", LANDING, phone],
    ["card: photo, name, sport label with 'Instructor'", LANDING, grid],
    ["sport label: 'Baseball', 'Softball' or 'Baseball/Softball'", PIECES, sports],
    ["at most 3 skill badges on desktop, with '+N'", LANDING, grid],
    ["at most 2 skill badges on mobile, with '+N'", LANDING, narrow],
    ["'Connect' returns to the email step", LANDING, grid],
    ["empty: 'Instructors Coming Soon'", LANDING, 'without instructors it says Instructors Coming Soon; every landing asks anew'],
  ]),

  ...section('2 invite landing', [
    ['takes the code from the last path segment and loads the instructor', ROUTES, invitation],
    ['a heading that the instructor wants the player on the product', ROUTES, invitation],
    ['account creation goes to /auth?invite={code}', ROUTES, invitation],
    ["'I Already Have an Account' goes to /auth", ROUTES, invitation],
    ['three benefit blurbs and a testimonial', ROUTES, invitation],
    [
      "the name falls back to 'Your instructor'",
      ROUTES,
      "an unknown invitation comes from 'Your instructor', and says Failed to fetch instructor",
    ],
  ]),

  ...section('2 support chat', [
    ['a floating button for logged-in users', FRAME, header('instructor')],
    [
      'in reach on every page',
      'tests/pages/spec-chat-button.spec.ts',
      'a player has the chat button in reach on every page, and it covers nothing for good',
    ],
    ['not for anonymous ones', FRAME, anonymous],
    ["opens a 350x450 panel titled 'Support Chat'", CHAT, steps],
    ['1: a greeting with the first name and three options', CHAT, steps],
    ["2: 'Please describe your request in detail:' with a text area", CHAT, steps],
    ["3: 'Any suggestions on how we might address this?', optional", CHAT, steps],
    ['4: the thank-you', CHAT, steps],
    ['starts over about 5 s after a successful submit', CHAT, steps],
    ['starts over 300 ms after closing', CHAT, 'a suggestion is sent with it; a closed chat starts over after 300 ms'],
  ]),

  ...section('2 avatar', [
    ['a bare filename lies in /uploads/profile/', PIECES, pictureOf('a screen of the app')],
    ['a path starting with /uploads/profile/ or / stays as it is', PIECES, pictureOf('a screen of the app')],
    ['an empty source, or the instructor with id 3, is /img/default-profile.jpeg', PIECES, pictureOf('a screen of the app')],
    ['the same on the landing page', PIECES, pictureOf('the landing page')],
    ['up to 2 initials when it fails to load', PIECES, 'a picture that does not load leaves at most 2 initials'],
    ['or a generic icon', PIECES, 'a picture that does not load leaves a figure where there is no name'],
    ['so in the header', FRAME, failedPicture],
  ]),

  ...section('2 mobile fallback', [
    [
      'on / on iOS, 5 seconds after load, an empty root is hidden and the fallback shown',
      LANDING,
      'on iOS, 5 seconds after the load of an empty page, the fallback is shown and the root hidden',
    ],
    ['on iOS only', LANDING, unlike],
    ['viewport and scrolling are adjusted on iOS', FRAME, 'on iOS the page is marked, so that it scrolls and sizes as it should'],
  ]),

  ...section('3', [
    [
      'User: id, username (the email), names, email, phone, password, role, profilePicture, profileSlug',
      API,
      'who is signed in has username, role, id and firstName; a 401 means no session',
    ],
    [
      'User: phone, kept and shown to nobody else',
      API,
      'a player registers with password, names, email, phone, referralCode, username, inviteCode and packageType',
    ],
    ['User: password, kept as a hash', ACCOUNTS, 'answers the user, signed in'],
    [
      'Instructor profile: id, user, profilePicture, type, skills',
      API,
      'instructors are a list with id, user, profilePicture, type and skills',
    ],
    ['in copy: specialties (the skills) and slug', ROUTES, 'a public profile is a page with name, sport and skills'],
    ['in copy: ratings; the only one is that of the page metadata', API, copyOnly],
    ['type may be an array or a single value', PIECES, sports],
    ['skills are hitting, pitching, fielding, catching', ACCOUNTS, 'asks for sports and skills, and for grown-ups'],
    [
      'Support request: requestType, content, deviceInfo, priority, suggestedSolution',
      API,
      'keeps requestType, content, deviceInfo, priority and suggestedSolution, and is among my requests',
    ],
    [
      "deviceInfo is the browser's user agent by default",
      API,
      "defaults to medium priority and the browser's user agent; other fields are optional",
    ],
    ['Lead: email, not_for_humans and metadata of nine fields', LANDING, emailStep],
    ['Login payload: username, password; packageType is removed before sending', AUTH, withPackage],
    ['Player registration payload', AUTH, selects],
    [
      'the server takes the whole player payload',
      API,
      'a player registers with password, names, email, phone, referralCode, username, inviteCode and packageType',
    ],
    ['Instructor registration payload', AUTH, instructorJoins],
    [
      'the server takes the whole instructor payload',
      API,
      'an instructor registers with the same, type and skills; a failure carries a message',
    ],
    [
      'in copy: a folder has a name, a status, its player and instructor',
      FOLDERS,
      'create, rename, archive, restore; the list shows it at once',
    ],
    ['in copy: a video has type, length, size and an address', FOLDERS, 'assign, review, deliver, ask, answer: each sees what is theirs'],
    ['in copy: a payment method is a saved card', PAYMENTS, 'are saved on the hosted page, chosen and forgotten'],
    ['in copy: posts; there are none', API, copyOnly],
    [
      'in copy: referral points are earned by a friend, and take something off a later folder',
      PAYMENTS,
      "a friend's code takes 10% off the first folder, and points follow its payment",
    ],
    [
      'Invite info: user with firstName, lastName; profilePicture',
      API,
      'an invitation names the instructor it comes from; an unknown one names nobody',
    ],
  ]),

  ...section('4', [
    [
      'the session is checked on load and mirrored in isLoggedIn: set when there is one, cleared when there is none',
      FRAME,
      'the session is asked on load: it sets the flag, and its absence clears a stale one',
    ],
    ['the user record is cached 60 seconds', FRAME, 'the user record is shown from a cache of 60 seconds while the server is asked'],
    ['a 401 on the user query yields no user', REQUESTS, unauthorized],
    ['login: toast, 500 ms, then /player/payment?package={packageType} for a player with a package', AUTH, withPackage],
    ['login: a player without one to /player/dashboard', AUTH, asPlayer],
    ['login: an instructor to /instructor/dashboard', AUTH, asInstructor],
    ['login: an admin to /admin/dashboard', AUTH, asAdmin],
    ['registration: after 500 ms a player with a package to payment', AUTH, paysNext],
    ['registration: a player without one to /player/connect-instructor', AUTH, selects],
    ['registration: an instructor to /instructor/dashboard', AUTH, instructorJoins],
    ['registration: an admin to /admin/dashboard', AUTH, adminSays],
    ['logout clears flag and cached user, and goes to /auth after 50 ms', FRAME, loggedOut],
    ['even if the server call fails', FRAME, unheard],
    ['hero: email step to role step after a valid email', LANDING, emailStep],
    ['hero: a honeypot trigger advances silently and saves nothing', LANDING, honeypot],
    ['hero: Back returns to email', LANDING, emailStep],
    ['hero: an existing account is told and sent to login', LANDING, known],
    ['hero: otherwise a lead is saved and the flow advances', LANDING, emailStep],
    ['hero: a failing check advances to the role step', LANDING, checkFails],
    ['auth: tabs login and register; register is player or instructor', AUTH, addressed],
    ['chat: options, content, optional suggestion; submitted when the suggestion is answered; then the final step', CHAT, steps],
    ['priority defaults to medium', API, "defaults to medium priority and the browser's user agent; other fields are optional"],
    ['carousel: steps 0 to 3', LANDING, carousel],
    ['folder: created', FOLDERS, 'create, rename, archive, restore; the list shows it at once'],
    ['folder: videos are uploaded', UPLOADS, 'MP4, MOV and WEBM come into a folder; completing again changes nothing'],
    ['folder: assigned, reviewed, feedback given', FOLDERS, 'assign, review, deliver, ask, answer: each sees what is theirs'],
    ['the player reviews feedback and final price and pays, with a tip if they like', PAYMENTS, feedbackPaid],
    ['a folder can be archived', PLAYER_FOLDERS, 'a folder is made by keyboard, renamed, archived and restored'],
    ['all of it by two people in a browser', JOURNEY, 'the whole job: film, assign, review, read, pay, share out, look back'],
  ]),

  ...section('5', [
    ["login: 'Email is required', 'Password is required'", AUTH, 'a login needs email and password, and a wrong one says so in red'],
    ["player: 'Password must be at least 8 characters'", AUTH, playerSays],
    ["player: 'First name is required', 'Last name is required'", AUTH, playerSays],
    ["player: 'Invalid email address'", AUTH, playerSays],
    ["player: 'Phone number must be at least 10 digits'", AUTH, playerSays],
    ['the server says the same of each field', ACCOUNTS, fieldSays],
    ['referralCode is optional', AUTH, paysNext],
    ["instructor: 'Please select at least one sport type', 'Please select at least one skill'", AUTH, instructorSays],
    ['the server says the same of sport and skill', ACCOUNTS, 'asks for sports and skills, and for grown-ups'],
    ['submitting without skills: no request, no toast, the same page', AUTH, instructorSays],
    ["'Username already exists' shows 'This username is already taken. Please try another one.'", AUTH, instructorSays],
    ["'Username must be at least' shows 'Username must be at least 3 characters long.'", AUTH, instructorSays],
    [
      "support: 'Please select a request type'; 'Request content must be at least 10 characters'",
      API,
      'with %s %j is refused in a sentence',
    ],
    ['support: priority low, medium, high or critical', API, 'has a priority of low, medium, high or critical'],
    ['support: other fields are optional', API, "defaults to medium priority and the browser's user agent; other fields are optional"],
    ["chat: under 10 characters 'Input too short' / 'Please provide at least 10 characters'", CHAT, steps],
    ["landing: @ and 5 characters, or 'Please enter a valid email address'", LANDING, emailStep],
    ["landing: blocked domains, grr.la among them, 'Please use your regular email address'", LANDING, emailStep],
    ['the server blocks them, too', LEADS, 'from %s says: %s'],
    ['an address has 5 to 254 characters', PIECES, addressRules],
    ["longer ones: 'Email address is too long'", LEADS, 'from %s says: %s'],
    ['the honeypot must stay empty', LEADS, 'of a program is thanked for and forgotten'],
    ['up to 3 videos a session', UPLOADS, 'a fourth video; one that is on its way counts'],
    ['each up to 500MB', UPLOADS, '501 MB, nothing, a type we do not take'],
    ['MP4, MOV, WEBM', UPLOADS, 'MP4, MOV and WEBM come into a folder; completing again changes nothing'],
    ['a payment method is required before assigning', PAYMENTS, 'needs a card, and says so'],
    ['minimum age 13', RECOVERY, 'somebody under 13 is refused, with the reason'],
  ]),

  ...section('6', [
    ['roles are player, instructor, admin; registration on /auth is for the first two', AUTH, addressed],
    ['admin registration is an endpoint and a page of its own', AUTH, adminSays],
    ['player, instructor and admin routes need that role; a wrong one sees Access Denied', ROUTES, wrongRole],
    ['the purchase button is for players', FRAME, header('instructor')],
    ['support chat and Support link are for logged-in users', FRAME, anonymous],
    ['anonymous users see landing, invite, auth and the other public pages', ADDRESSES, everyAddress],
    ['anonymous users see the list of instructors', API, 'instructors are a list with id, user, profilePicture, type and skills'],
    ['the server lets each role do what is theirs', MATRIX, 'asked by %s'],
    ["and nobody what is somebody else's", MATRIX, 'about what belongs to somebody else, or is not there'],
  ]),

  ...section('7', [
    [
      'all requests send credentials; bodies are JSON unless raw',
      REQUESTS,
      'every request sends credentials and asks for JSON; bodies are JSON unless they are raw',
    ],
    ["a developer-testing flag of 'enabled' adds dev_bypass=true and X-Dev-Testing: true to every request", CLIENT, testing],
    ['a page sends them, too, and they open nothing', FRAME, 'every request carries the developer-testing flag, and it changes nothing'],
    ['the server ignores them', ACCOUNTS, 'mean nothing'],
    ['GET /api/user: the user; 401 means no session', API, 'who is signed in has username, role, id and firstName; a 401 means no session'],
    ['POST /api/login: username and password give the user', ACCOUNTS, 'says nothing but yes or no'],
    ['POST /api/register/player gives the user', ACCOUNTS, 'answers the user, signed in'],
    [
      'POST /api/register/instructor gives the user; a failure carries a message',
      API,
      'an instructor registers with the same, type and skills; a failure carries a message',
    ],
    ['POST /api/register/admin gives the user', ACCOUNTS, 'come by the setup link while there is none, then by invitation'],
    ['POST /api/logout', ACCOUNTS, 'is over after logout, which works without a session too'],
    ['its failure still logs out locally', FRAME, unheard],
    ['GET /api/check-email?email={email}: exists', ACCOUNTS, 'check-email tells whether there is an account'],
    ['POST /api/landing-page/leads: alreadyExists', LEADS, 'is kept once, with what the page tells of the visit'],
    ['its failures are only logged', LANDING, checkFails],
    ['GET /api/instructors: a list', INSTRUCTORS, 'are listed for everybody, referred ones first for 30 days'],
    ['it is invalidated on landing load', LANDING, 'without instructors it says Instructors Coming Soon; every landing asks anew'],
    [
      'GET /api/instructors/by-invite/{inviteCode}: one instructor',
      API,
      'an invitation names the instructor it comes from; an unknown one names nobody',
    ],
    [
      "non-OK gives 'Failed to fetch instructor'",
      ROUTES,
      "an unknown invitation comes from 'Your instructor', and says Failed to fetch instructor",
    ],
    ['POST /api/support/request, then GET /api/support/my-requests is refreshed', CHAT, steps],
    ['single upload under 25MB, chunked above', CONSTANTS, videos],
    ['with progress', UPLOADING, 'pauses and goes on with the missing parts only'],
    ['a non-OK response: the message field if JSON, else the whole JSON, else the text, else the status text', CLIENT, errorSays],
    ["else 'Unknown error'", CLIENT, unknownError],
    ['data fetches are GETs to the query URL', FETCHING, 'what a page shows is fetched by a GET of its address'],
    ['a 401 throws by default', REQUESTS, unauthorized],
    ['a mode exists where a 401 is null', REQUESTS, unauthorized],
    ["'Expected JSON response but got {type}'", CLIENT, notJson],
    ["'Invalid JSON response from server'", CLIENT, unparseable],
  ]),

  ...section('8', [
    [
      "'Invalid username or password. Please try again.', destructive",
      AUTH,
      'a login needs email and password, and a wrong one says so in red',
    ],
    ["player registration: the server's message, or 'An error occurred during registration'", AUTH, playerSays],
    ["instructor registration: the server's message, mapped, or the default", AUTH, instructorSays],
    ["'Admin Registration Failed': the server's message or 'An error occurred during admin registration'", AUTH, adminSays],
    ["logout error: 'You have been logged out locally.'", FRAME, unheard],
    ["'Failed to submit request', destructive, with the message or 'Please try again later.'", CHAT, fails],
    ["'Account Found', red, with its text, then /auth?redirect=login&email={email}", LANDING, known],
    ['an email check error continues to the role step', LANDING, checkFails],
    ["'Failed to fetch instructor'", ROUTES, "an unknown invitation comes from 'Your instructor', and says Failed to fetch instructor"],
    ["'Expected JSON response but got {type}'", CLIENT, notJson],
    ["'Invalid JSON response from server'", CLIENT, unparseable],
    ["'Unknown error'", CLIENT, unknownError],
    ['an avatar that does not load is hidden and a fallback shown', FRAME, failedPicture],
    ['copy names expired cards, insufficient funds, incorrect card information', ROUTES, questions],
    ['a declined card says which', 'tests/pages/player-payments.spec.ts', 'a declined card says why; another one pays'],
    ["'Login successful' / 'Welcome back, {firstName}!'", AUTH, asInstructor],
    ["plus ' Proceeding to payment.' for a player with a package", AUTH, withPackage],
    ["'Registration successful' / 'Your account has been created! Proceeding to payment.'", AUTH, paysNext],
    ["'Your account has been created! Now select your instructor.'", AUTH, selects],
    ["'Your instructor account has been created!'", AUTH, instructorJoins],
    ["'Admin Registration Successful' / 'Your administrator account has been created!'", AUTH, adminSays],
    ["'Logged out' / 'You have been successfully logged out.'", FRAME, loggedOut],
    ["'Support request submitted' / 'We'll get back to you as soon as possible.'", CHAT, steps],
  ]),

  ...section('9', [
    ['$15 a session, and a Media Service Fee by size, number of videos and notes', CONSTANTS, price],
    ['payment only after feedback', CONSTANTS, 'nothing is paid before there is feedback'],
    ['3 videos', UPLOADS, 'a fourth video; one that is on its way counts'],
    ['500MB each; under 25MB in one upload, larger ones chunked', CONSTANTS, videos],
    ['feedback typically takes 24-48 hours', ROUTES, questions],
    ['minimum age 13', CONSTANTS, lengths],
    ['10% off the first assigned folder, once', PAYMENTS, "a friend's code takes 10% off the first folder, and points follow its payment"],
    ['password 8, phone 10, username 3', CONSTANTS, lengths],
    ['support content 10', API, 'with %s %j is refused in a sentence'],
    ['chat input 10', CHAT, steps],
    ['email 5 to 254', PIECES, addressRules],
    ['500 ms after login', AUTH, asPlayer],
    ['500 ms after registration', AUTH, selects],
    ['50 ms after logout', FRAME, loggedOut],
    ['50 ms before the landing redirect', LANDING, 'who is logged in goes to their dashboard after 50 ms'],
    ['chat: 5 s after submit', CHAT, steps],
    ['chat: 300 ms after close', CHAT, 'a suggestion is sent with it; a closed chat starts over after 300 ms'],
    [
      'mobile fallback after 5000 ms',
      LANDING,
      'on iOS, 5 seconds after the load of an empty page, the fallback is shown and the root hidden',
    ],
    ['protected routes warn at 3 s and 5 s', ROUTES, slow],
    ['mobile under 768 px', PIECES, devices],
    ['skills on cards: 3 on desktop', LANDING, grid],
    ['skills on cards: 2 on mobile', LANDING, narrow],
    ['carousel of 4 steps', LANDING, carousel],
    ['support priority medium by default', CHAT, steps],
    ['data is fresh for 60,000 ms', FETCHING, freshness],
    ['data is kept for 300,000 ms', FETCHING, freshness],
    ['and no longer', FETCHING, freshness],
    ['no automatic retry', FETCHING, 'what failed is not tried again by itself'],
    ['no refetch on focus or by interval', FETCHING, 'nothing is fetched again on focus, on an interval, or when the connection is back'],
    ['requests are attempted even offline', FETCHING, 'a request is attempted though the browser says it is offline'],
    ['the user is stale after 60 s', FRAME, 'the user record is shown from a cache of 60 seconds while the server is asked'],
    ['toasts: one at a time', FRAME, oneToast],
    ['toasts: removed 1,000,000 ms after dismissal', PIECES, 'a dismissed toast is removed after 1,000,000 ms'],
    ['toasts: shown 5000 ms', FRAME, 'a toast shows for 5000 ms'],
    ['toasts: swiped right by more than 50 px', FRAME, oneToast],
    ['F8 focuses the notification region', FRAME, oneToast],
  ]),
]
