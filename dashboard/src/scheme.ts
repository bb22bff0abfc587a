/**
 * Runs first, before anything is painted (`dev/first-script.ts`): the colour scheme, so that nothing flashes, and the policy of
 * Trusted Types. No text becomes markup: Mantine's style sheets are the only text that goes through the policy, and a style
 * sheet has no `<`. So a name from the API can never become an element, even where a library would make one of it.
 */
(() => {
  interface Policies {
    createPolicy(name: string, rules: { readonly createHTML: (text: string) => string }): unknown;
  }
  const createHTML = (text: string): string => {
    if (text.includes('<')) throw new TypeError('Text must not become markup.');
    return text;
  };
  (globalThis as { readonly trustedTypes?: Policies }).trustedTypes?.createPolicy('default', { createHTML });

  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem('bursar-colour-scheme');
  } catch {} // storage may be switched off
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';
})();
