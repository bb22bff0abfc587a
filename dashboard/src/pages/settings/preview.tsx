/**
 * What payers see of the settings, drawn with the colours of the hosted page itself, as it is in the light and in the dark. It shows no
 * link and takes no payment: the page of a link is opened beside it.
 */
import type { CSSProperties } from 'react';
import {
  accentOn,
  DARK,
  DEFAULT_ACCENT,
  LIGHT,
  type Palette,
} from '../../../../src/collecting/checkout/html/colours.ts';
import classes from './settings.module.css';

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

interface Shown {
  readonly name: string;
  /** `#rrggbb`, or what is none yet. */
  readonly colour: string;
  /** `data:…`; `null`: none, or one that only the server has. */
  readonly logo: string | null;
  /** The server has a logo that stays. */
  readonly keepsLogo: boolean;
  readonly contact: string;
}

export function Preview(shown: Shown) {
  return (
    <div className={classes['previews']}>
      <Sheet {...shown} palette={LIGHT} word="Light" />
      <Sheet {...shown} palette={DARK} word="Dark" />
    </div>
  );
}

function Sheet({ name, colour, logo, keepsLogo, contact, palette, word }: Shown & { palette: Palette; word: string }) {
  const accent = accentOn(isColour(colour) ? colour.toLowerCase() : DEFAULT_ACCENT, palette);
  const colours = {
    '--p-ground': palette.ground,
    '--p-card': palette.card,
    '--p-text': palette.text,
    '--p-muted': palette.muted,
    '--p-line': palette.line,
    '--p-fill': accent.fill,
    '--p-on-fill': accent.onFill,
    '--p-edge': accent.edge,
  } as CSSProperties;
  return (
    <figure className={classes['sheet']} style={colours}>
      <figcaption className={classes['word']}>{word}</figcaption>
      <div className={classes['company']}>
        {logo !== null && <img src={logo} alt="" />}
        {logo === null && keepsLogo && <span className={classes['kept']}>Logo</span>}
        <bdi>{name}</bdi>
      </div>
      <div className={classes['slip']}>
        <div>To pay</div>
        <div className={classes['sum']}>€250.00</div>
        <div className={classes['pay']}>Pay by bank transfer</div>
      </div>
      {contact !== '' && <div className={classes['contact']}>{contact}</div>}
    </figure>
  );
}
