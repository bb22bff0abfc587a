/**
 * A certificate for `localhost`, `receiver.example.com` and 127.0.0.1, signed by itself, valid for a hundred years, with its
 * key: public, worthless, and only for servers of tests. Nothing may trust it but a process that a test starts for that.
 */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBsjCCAVmgAwIBAgIUeXK3IFA58jm9hHO00HLRaXg+G58wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE1NDI1NVoYDzIxMjYxMDI4
MTU0MjU1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQzoxd7ZmdB0hAsOrovra5yfn+SbdAA+UT+9ekVaNeII+RJZqgOVZBI
uTqAxfg+8Rg+ZRXP8iExrd1c2+YTqniPo4GGMIGDMB0GA1UdDgQWBBROXJnljtw/
CqcgisqMPjulFWsJIzAfBgNVHSMEGDAWgBROXJnljtw/CqcgisqMPjulFWsJIzAP
BgNVHRMBAf8EBTADAQH/MDAGA1UdEQQpMCeCCWxvY2FsaG9zdIIUcmVjZWl2ZXIu
ZXhhbXBsZS5jb22HBH8AAAEwCgYIKoZIzj0EAwIDRwAwRAIgGWHv3T8bP0EdAqdO
04D7+KX8uqAZbt37bWDPmweMkrcCIDhR+KN4dF8iC5iDbuBPKdTiFwGWg1NF9OZY
WhaHsxbl
-----END CERTIFICATE-----
`;

export const CERTIFICATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgadF266dnBtPHnku6
oEXJtR28TWA9tSOC/tTpaXCup0uhRANCAAQzoxd7ZmdB0hAsOrovra5yfn+SbdAA
+UT+9ekVaNeII+RJZqgOVZBIuTqAxfg+8Rg+ZRXP8iExrd1c2+YTqniP
-----END PRIVATE KEY-----
`;
