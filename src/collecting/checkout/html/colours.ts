/**
 * The colours of the page, and the merchant’s made readable on them. Source: WCAG 2.2, contrast ratio. Next:
 * `style-sheet.ts`.
 */

/** `#rrggbb`. */
type Colour = string;

export type Palette = Readonly<typeof LIGHT>;

export const LIGHT = {
  /** Behind the card. */
  ground: '#f4f5f7',
  card: '#ffffff',
  text: '#15181e',
  muted: '#565e6c',
  /** Decoration: may be faint. */
  line: '#dfe3e8',
  /** Edges of fields and buttons: 3:1. */
  edge: '#7b8492',
  good: '#0b6b3a',
  bad: '#a8201a',
  badGround: '#fdeeec',
  test: '#6f4400',
  testGround: '#fff4db',
};
export const DARK: Palette = {
  ground: '#0e1014',
  card: '#181b21',
  text: '#eceef2',
  muted: '#a7afbb',
  line: '#2d323b',
  edge: '#79828f',
  good: '#5fd598',
  bad: '#ffb3aa',
  badGround: '#361b1b',
  test: '#f3c76b',
  testGround: '#2d2513',
};

export const DEFAULT_ACCENT: Colour = '#1f4fd8';
/** WCAG 1.4.3 and 1.4.11. */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

export interface Accent {
  /** Buttons. */
  readonly fill: Colour;
  /** Text on `fill`: 4.5:1. */
  readonly onFill: Colour;
  /** Links: 4.5:1 on card and ground. */
  readonly text: Colour;
  /** Edges of buttons and the focus ring: 3:1 on card and ground. */
  readonly edge: Colour;
}

/** The accent of a colour on a palette: it keeps its hue and moves towards black or white as far as contrast demands. */
export function accentOn(colour: Colour, palette: Palette): Accent {
  const grounds = [palette.ground, palette.card];
  // White or black always has 4.58:1 or more.
  const onFill = contrast(colour, '#ffffff') >= TEXT_CONTRAST ? '#ffffff' : '#000000';
  const away = contrast(palette.card, '#000000') > contrast(palette.card, '#ffffff') ? 0 : 255;
  const atLeast = (wanted: number) => moved(colour, away, (each) => grounds.every((g) => contrast(each, g) >= wanted));
  return { fill: colour, onFill, text: atLeast(TEXT_CONTRAST), edge: atLeast(EDGE_CONTRAST) };
}

/** The first of 32 steps towards black or white that passes; after them black or white itself. */
function moved(colour: Colour, towards: number, willDo: (colour: Colour) => boolean): Colour {
  const channels = channelsOf(colour);
  for (let step = 0; step < 32; step++) {
    const mixed = channels.map((channel) => Math.round(channel + ((towards - channel) * step) / 32));
    const candidate = `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
    if (willDo(candidate)) return candidate;
  }
  return towards === 0 ? '#000000' : '#ffffff';
}

/** The contrast ratio, 1 to 21, in either order. */
export function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: Colour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Colours as custom properties: `--accent-on-fill:#ffffff;…`. */
export function properties(colours: Palette | Accent, prefix = ''): string {
  return Object.entries(colours)
    .map(([name, colour]) => `--${prefix}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${colour}`)
    .join(';');
}
