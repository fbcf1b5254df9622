/** The stylesheet of the sandbox's pages. They look plain, so that nobody confuses them with the product or with Stripe. */
export const sandboxStylesheet = `
:root{color-scheme:light;--page:#f4f5f7;--paper:#fff;--ink:#1b2330;--soft:#545f6e;--line:#d8dde4;--accent:#3a4bcb;--accent-deep:#2c3a9f;--red:#b3261e;--red-soft:#fdecea;--green:#17603a;--green-soft:#e2f3e8;--amber:#7a4d00;--amber-soft:#ffefcc}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;min-height:100vh}
.band{margin:0;padding:8px 16px;background:var(--amber-soft);color:var(--amber);font-weight:600;font-size:14px;text-align:center}
main{padding:24px 16px 64px;margin:0 auto}
main.narrow{max-width:512px}
main.wide{max-width:1320px}
nav{display:flex;flex-wrap:wrap;gap:4px 20px;margin:0 0 16px}
nav a{padding:8px 0;font-weight:600;text-decoration:none}
section{scroll-margin-top:16px}
h1{font-size:28px;line-height:1.2;margin:8px 0 12px;letter-spacing:-.01em}
h2{font-size:18px;line-height:1.3;margin:0 0 12px}
h3{font-size:16px;margin:0 0 12px}
p{margin:0 0 12px}
a{color:var(--accent)}
.soft,.hint,.nothing,.eyebrow{color:var(--soft)}
.hint,.eyebrow{font-size:14px}
.eyebrow{margin:0;font-weight:600}
.total{font-size:36px;font-weight:700;letter-spacing:-.02em;margin:0 0 8px;font-variant-numeric:tabular-nums}
.back{display:inline-block;padding:10px 0;text-decoration:none;font-weight:600}
.card{background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:24px 20px;margin:0 0 24px}
.field{margin:0 0 16px}
label{display:block;font-weight:600;font-size:14px;margin:0 0 6px}
input,select{width:100%;min-height:46px;padding:10px 12px;font:inherit;color:inherit;background:var(--paper);border:1px solid #8a94a3;border-radius:8px}
input::placeholder{color:#6b7685;opacity:1}
input[aria-invalid],select[aria-invalid]{border-color:var(--red);box-shadow:0 0 0 1px var(--red)}
.field .hint,.error{margin:6px 0 0;font-size:14px}
.error{color:var(--red);font-weight:550}
.alert{background:var(--red-soft);color:var(--red);border-radius:8px;padding:10px 12px;font-weight:550}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 16px}
.button{display:block;width:100%;min-height:48px;padding:12px 20px;border:1px solid transparent;border-radius:8px;background:var(--accent);color:#fff;font:inherit;font-weight:650;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{background:var(--accent-deep)}
.button.quiet{background:var(--paper);color:var(--ink);border-color:#8a94a3}
.button.quiet:hover{background:var(--page)}
.button.plain{background:none;color:var(--soft);text-decoration:underline}
.card .button+.hint{margin:12px 0 0}
.stack,.bank form{display:grid;gap:12px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.bank{margin-top:16px}
.bank h1{margin-top:4px}
.bank .hint{margin:16px 0 0}
.bank dl{margin-bottom:16px}
dl{margin:0 0 20px;border-top:1px solid var(--line)}
dl div{display:flex;justify-content:space-between;gap:16px;padding:12px 0;border-bottom:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;font-weight:600;text-align:right}
.items{list-style:none;margin:16px 0 0;padding:0;border-top:1px solid var(--line)}
.items li{display:flex;justify-content:space-between;gap:16px;padding:12px 0;border-bottom:1px solid var(--line)}
.checkout{max-width:512px}
.summary{margin-bottom:24px}
.tests ul{list-style:none;margin:0;padding:0;background:var(--paper);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.tests li+li{border-top:1px solid var(--line)}
.tests button{display:grid;gap:2px 16px;align-items:center;width:100%;min-height:48px;padding:10px 16px;border:0;background:none;color:inherit;font:inherit;font-size:14px;text-align:left;cursor:pointer}
.tests button:hover{background:var(--page)}
.tests button:focus-visible{outline-offset:-3px}
.tests b{font-variant-numeric:tabular-nums;font-weight:600;white-space:nowrap}
.tests span{color:var(--soft)}
section+section,section+form,.total~h2,.wide>p+section{margin-top:32px}
.scroll+.hint{margin:8px 0 0}
.count{color:var(--soft);font-weight:400}
.nothing{background:var(--paper);border:1px dashed var(--line);border-radius:12px;padding:16px 20px;margin:0}
.scroll{overflow-x:auto;background:var(--paper);border:1px solid var(--line);border-radius:12px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:10px 14px;vertical-align:middle}
th,time,.pill,.n{white-space:nowrap}
th{color:var(--soft);font-weight:600;border-bottom:1px solid var(--line)}
tr+tr td{border-top:1px solid var(--line)}
.n{text-align:right;font-variant-numeric:tabular-nums}
code{overflow-wrap:anywhere;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--soft)}
.pill{display:inline-block;padding:1px 9px;border-radius:99px;background:var(--page);font-size:13px;font-weight:600}
.pill.succeeded,.pill.payoutsenabled,.pill.won{background:var(--green-soft);color:var(--green)}
.pill.requires_payment_method,.pill.disputed,.pill.lost,.pill.needs_response,.pill.failed{background:var(--red-soft);color:var(--red)}
.pill.requires_action,.pill.needsabankaccount,.pill.unfinished{background:var(--amber-soft);color:var(--amber)}
.small{min-height:34px;padding:4px 12px;border:1px solid #8a94a3;border-radius:8px;background:var(--paper);color:inherit;font:inherit;font-size:14px;font-weight:600;cursor:pointer}
.small:hover{background:var(--page)}
td form{display:inline}
.inline{display:inline-flex;gap:8px;align-items:center}

td select{min-height:34px;padding:4px 8px;font-size:14px;width:auto;max-width:260px}
.panels{display:grid;gap:16px}
.panels .card{margin:0}
.panels .small{margin-top:4px}
.panels .hint{margin:8px 0 0}
#trouble~form{margin-top:16px}
.row{display:grid;gap:12px;margin-bottom:12px}
.row input,.row select{font-weight:400;margin-top:6px;min-height:44px}
.check{display:flex;gap:10px;align-items:center;min-height:44px}
.check input{width:20px;height:20px;min-height:0;margin:0}
@media (max-width:767px){
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block}
tr{padding:8px 14px}
tr+tr{border-top:1px solid var(--line)}
tr+tr td{border:0}
td{display:grid;grid-template-columns:104px minmax(0,1fr);gap:8px;align-items:baseline;padding:4px 0;text-align:left}
td.n{text-align:left}
td:has(>div:empty){display:none}
td::before{content:attr(data-label);color:var(--soft);font-weight:600}
td select{max-width:100%}
.inline{flex-wrap:wrap}
}
@media (pointer:coarse){.small,td select{min-height:44px}}
@media (min-width:480px){.tests button{grid-template-columns:176px minmax(0,1fr)}}
@media (min-width:900px){
main{padding:40px 32px 80px}
.panels{grid-template-columns:1fr 1fr;align-items:start}
.checkout{max-width:1040px;display:grid;grid-template-columns:minmax(0,1fr) 464px;grid-template-rows:auto 1fr;gap:32px 64px}
.checkout .card{grid-column:2;grid-row:1/3;align-self:start;padding:32px;margin:0;position:sticky;top:24px}
.summary{margin:0}
.checkout section+form,.checkout form+section{margin-top:0}
.narrow .card{padding:32px}
}
@media (prefers-reduced-motion:no-preference){.button,.small,.tests button{transition:background-color .12s ease-out}}
`
