/** As many characters as the API takes, by request and member: no more can be typed. `most.test.ts` compares each with the API document. */
export const MOST = {
  rejectReason: 140,
  bankReason: 200,
  ruleName: 70,
  ruleText: 140,
  companyName: 70,
  keyName: 100,
  personName: 100,
  endpointDescription: 500,
  batchName: 100,
  payoutReference: 140,
  payeeName: 140,
  latinName: 70,
  payeeEmail: 254,
  line1: 70,
  postal_code: 16,
  city: 35,
} as const;
