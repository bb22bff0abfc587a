/** Settings of servers that tests ask more often than visitors do, whose receivers of webhooks are on this machine, and that verify when asked only and keep no log of requests. */
export const UNLIMITED = {
  BURSAR_RATE_LIMIT: '0',
  BURSAR_KEYLESS_RATE_LIMIT: '0',
  BURSAR_PAGE_RATE_LIMIT: '0',
  BURSAR_PAGE_FORM_RATE_LIMIT: '0',
  BURSAR_WEBHOOK_PRIVATE_TARGETS: 'loopback',
  BURSAR_VERIFY_HOUR: 'off',
  BURSAR_REQUEST_LOG_DAYS: '0', // it writes a second after each request; its own tests have it
};
