/**
 * An address with several hosts, as libpq takes it, as one address a host for the driver. Source: PostgreSQL, 34.1.1.3.
 */
import { parseUrl } from '../../core/values/url.ts';

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const ATTRIBUTES = 'target_session_attrs';
/** Bursar writes and reads what it wrote, so it takes no other server than one that can be written to. */
const WRITABLE = ['read-write', 'primary'];

/** One address a host, in order, each for the driver. `null` when the address is malformed or asks for a standby. */
export function addressesOf(url: string): readonly string[] | null {
  const match = ADDRESS.exec(url);
  if (match === null) return null;
  const [, start = '', hosts = '', path = '', query = ''] = match;
  const rest = new URLSearchParams(query);
  const wanted = rest.getAll(ATTRIBUTES);
  if (wanted.some((attribute) => !WRITABLE.includes(attribute))) return null;
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith(`${ATTRIBUTES}=`))
    .join('&');
  const addresses = hosts.split(',').map((host) => `${start}${host}${path}${kept === '' ? '' : `?${kept}`}`);
  return addresses.every(isAddress) ? addresses : null;
}

/** Without a host, PostgreSQL's socket is meant, which WHATWG URLs do not know. */
function isAddress(address: string): boolean {
  return parseUrl(address.replace(/^(\w+:\/\/)(?:[^@/?#]*@)?(?=[/?]|$)/, '$1host')) !== null;
}
