/** Who is paid, below the page: the company's address, how to reach it, its legal notice. Without any of them there is nothing. */
import type { Address } from '../../../core/address.ts';
import { parseUrl } from '../../../core/values/url.ts';
import { foreign, html, type Html } from './html.ts';
import { LOCALES } from './languages.ts';
import type { Language, PageView } from './view.ts';
import type { Words } from './words-en.ts';

export function companyFooter({ merchant, company, language }: PageView, words: Words): Html | null {
  const { email, phone, address, legalUrl, privacyUrl } = company;
  const [legal, privacy] = [linkable(legalUrl), linkable(privacyUrl)];
  if (email === null && phone === null && address === null && legal === null && privacy === null) return null;
  const items = [
    email !== null &&
      html`<li><a href="mailto:${encodeURIComponent(email).replace('%40', '@')}">${foreign(email)}</a></li>`,
    phone !== null && html`<li><a href="tel:${phone.replace(/[^+0-9]/g, '')}">${foreign(phone)}</a></li>`,
    legal !== null && html`<li><a href="${legal.href}" rel="noreferrer">${words.legal}</a></li>`,
    privacy !== null && html`<li><a href="${privacy.href}" rel="noreferrer">${words.privacy}</a></li>`,
  ].filter((item) => item !== false);
  const lines = address === null ? [] : addressLines(address, language);
  return html`<section class="company" aria-label="${words.company}"><p>${[merchant.name, ...lines].map((line, index) => html`${index > 0 && BREAK}${foreign(line)}`)}</p>
${items.length > 0 && html`<ul>${items}</ul>`}</section>`;
}
const BREAK = html`<br>`;

// Kept, because making one takes 50 us and more.
const countries = new Map<Language, Intl.DisplayNames>();

/** As an envelope has it: the postal code before the town but for countries that write it behind, the country last. */
export function addressLines(
  { line1, line2, postal_code, city, state, country }: Address,
  language: Language,
): string[] {
  let names = countries.get(language);
  if (!names) countries.set(language, (names = new Intl.DisplayNames(LOCALES[language], { type: 'region' })));
  const parts = BEHIND.has(country) ? [city, state, postal_code] : [postal_code, city];
  const town = parts.filter((part) => part !== null).join(' ');
  const region = BEHIND.has(country) ? null : state;
  return [line1, line2, town, region, names.of(country) ?? country].filter((line) => line !== null);
}
/** Countries that write the postal code behind the town (Universal Postal Union, S42). */
const BEHIND = new Set(['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'US', 'ZA']);

/** The URL of a link; `null` unless http or https, so that no `javascript:` runs. */
export function linkable(text: string | null): URL | null {
  const url = text === null ? null : parseUrl(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}
