/**
 * At which addresses the dashboard answers, and which origin a browser has there. Decided by the settings and the host that a request names,
 * so a name that somebody else points at this service (DNS rebinding) opens nothing. `X-Forwarded-Host` is never read: a proxy has to pass
 * on `Host`. Next: `site.ts`, which serves the application.
 */
import { isIP } from 'node:net';

export interface DashboardAddresses {
  /** The origin of a host of its own; `null`: it has none. */
  readonly dashboardUrl: string | null;
  /** The service as clients see it; '' if unknown. */
  readonly publicUrl: string;
}

/** A place at which the dashboard answers. */
export interface DashboardOrigin {
  /** As browsers write it in `Origin`: `https://pay.example.com`, `http://localhost:4242`. */
  readonly origin: string;
  /** The name that passkeys are made for (relying party); `null`: this is an address, and passkeys need a name. */
  readonly rpId: string | null;
}

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[^[\]:@/?#\s]+)(?::\d{1,5})?$/;
const WILDCARD = /^(?:0\.0\.0\.0|::)$/;
const PATH = '/dashboard';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * What the dashboard is at the `Host` of a request. 404: it has a host of its own (`BURSAR_DASHBOARD_URL`), and this is another one. 421: this
 * is no name of the service, or one that is reached by plain http, where no browser keeps the cookie of a session. Ports are not compared
 * where the host is a setting, because proxies leave them out.
 */
export function originOfDashboard(
  { dashboardUrl, publicUrl }: DashboardAddresses,
  host: string | undefined,
): DashboardOrigin | 404 | 421 {
  const asked = host?.toLowerCase() ?? '';
  const name = HOST.exec(asked)?.[1];
  if (dashboardUrl !== null) return name === new URL(dashboardUrl).hostname ? placeAt(dashboardUrl) : 404;
  if (name === undefined) return 421;
  const isHere = LOOPBACK.test(name);
  if (publicUrl !== '') {
    const known = new URL(publicUrl);
    // On this machine the port tells a proxy from the service behind it.
    if (isHere ? asked === known.host : name === known.hostname)
      return isHere || known.protocol === 'https:' ? placeAt(known.origin) : 421;
  }
  return isHere ? placeAt(`http://${asked}`) : 421;
}

/**
 * Where a person finds the dashboard: the link that the start prints, with the name of this machine where there is no better one, because
 * passkeys need a name. `null`: it is switched off, or no browser could keep a session where this service listens. `port`: where it does.
 */
export function addressOfDashboard(
  {
    dashboard,
    dashboardUrl,
    publicUrl,
    host,
  }: DashboardAddresses & { readonly dashboard: boolean; readonly host: string },
  port: number,
): string | null {
  if (!dashboard) return null;
  if (dashboardUrl !== null) return `${dashboardUrl}${PATH}`;
  if (publicUrl.startsWith('https:')) return `${new URL(publicUrl).origin}${PATH}`;
  const listensHere = WILDCARD.test(host) || LOOPBACK.test(host) || host === '::1';
  return listensHere ? `http://localhost:${port}${PATH}` : null;
}

/** What links for people begin with: the host of the dashboard's own, else where the service is. This machine by its name, for passkeys. */
export const linksLeadTo = ({ dashboardUrl }: Pick<DashboardAddresses, 'dashboardUrl'>, baseUrl: string): string =>
  dashboardUrl ?? baseUrl.replace(/^http:\/\/127\.0\.0\.1(?=:|$)/, 'http://localhost');

function placeAt(origin: string): DashboardOrigin {
  const { hostname } = new URL(origin);
  return { origin, rpId: isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : null };
}
