/** The nonce of this page, which the server writes into the page: style elements that libraries make carry it. */
import { setNonce } from 'get-nonce';

const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';
// What locks scrolling behind a dialog asks here and not Mantine.
if (nonce !== '') setNonce(nonce);

export const getNonce = (): string => nonce;
