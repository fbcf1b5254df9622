/** What a person enters on the hosted page of the Stripe sandbox: one of its test cards, with a billing address. */
export const testCardDetails = (number = '4242424242424242', name = 'Sam Player') => ({
  number,
  expiry: '12 / 34',
  cvc: number.startsWith('3') ? '1234' : '123',
  name,
  country: 'US',
  line1: '1 Home Plate Way',
  city: 'Springfield',
  state: 'IL',
  postal: '62701',
})
