/**
 * The look, as tokens: the palette of the hosted page, so that both are one house, one accent, one size of radius a level. Every
 * colour is a custom property (`var(--muted)`), which the scheme switches. Next: `styles.css`.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { accentOn, DARK, DEFAULT_ACCENT, LIGHT, type Palette } from '../../src/collecting/checkout/html/colours.ts';

const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace";
/** White on it has 5:1, and it has 3.4:1 on a dark card. */
const FILL_ON_DARK = '#3563ec';

const steps = (light: string, dark: string): MantineColorsTuple => [
  light,
  light,
  light,
  light,
  light,
  light,
  light,
  dark,
  dark,
  dark,
];

/** What Mantine takes for surfaces, borders and texts in the dark. */
const DARK_STEPS: MantineColorsTuple = [
  DARK.text,
  '#c9cdd5',
  DARK.muted,
  DARK.muted,
  DARK.line,
  '#22262e',
  DARK.card,
  DARK.card,
  '#12151a',
  DARK.ground,
];

export const theme = createTheme({
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.375rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.3' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '12px', xl: '12px' },
  defaultRadius: 'sm',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' } } },
  colors: { dark: DARK_STEPS, accent: steps(DEFAULT_ACCENT, FILL_ON_DARK), danger: steps(LIGHT.bad, '#c4332c') },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 7 },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { transitionProps: { duration: 0 }, centered: false, yOffset: '12vh', radius: 'lg' } },
    Drawer: { defaultProps: { transitionProps: { duration: 0 } } },
    Menu: { defaultProps: { transitionProps: { duration: 0 }, position: 'bottom-end', shadow: 'md', radius: 'lg' } },
    Select: {
      defaultProps: { comboboxProps: { transitionProps: { duration: 0 }, shadow: 'md' }, allowDeselect: false },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 0 } } },
  },
});

const own = (palette: Palette, fill: string) => {
  const accent = accentOn(DEFAULT_ACCENT, palette);
  return {
    '--ground': palette.ground,
    '--card': palette.card,
    '--text': palette.text,
    '--muted': palette.muted,
    '--line': palette.line,
    '--edge': palette.edge,
    '--good': palette.good,
    '--bad': palette.bad,
    '--bad-ground': palette.badGround,
    '--wait': palette.test,
    '--wait-ground': palette.testGround,
    '--accent': accent.text,
    '--accent-fill': fill,
    '--mantine-color-body': palette.card,
    '--mantine-color-text': palette.text,
    '--mantine-color-dimmed': palette.muted,
    '--mantine-color-placeholder': palette.muted,
    '--mantine-color-anchor': accent.text,
    '--mantine-color-accent-light': palette.ground,
    '--mantine-color-accent-light-hover': palette.ground,
    '--mantine-color-accent-light-color': accent.text,
    '--mantine-color-error': palette.bad,
    '--mantine-color-default': palette.card,
    '--mantine-color-default-hover': palette.ground,
    '--mantine-color-default-border': palette.edge,
    '--mantine-color-default-color': palette.text,
    '--mantine-color-disabled': palette.ground,
    '--mantine-color-disabled-color': palette.muted,
  };
};

export const variables: CSSVariablesResolver = () => ({
  variables: { '--mono': MONO },
  light: own(LIGHT, DEFAULT_ACCENT),
  dark: own(DARK, FILL_ON_DARK),
});
