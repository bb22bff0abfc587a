/** The start: style sheets in their order, the nonce before the first style element, then the app. Next: `app.tsx`. */
import './mantine.css';
import './styles.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, readied } from './app.tsx';
import { getNonce } from './nonce.ts';
import { theme, variables } from './theme.ts';

const schemes = localStorageColorSchemeManager({ key: 'bursar-colour-scheme' });

await readied();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      getStyleNonce={getNonce}
    >
      <Notifications position="bottom-right" autoClose={5000} transitionDuration={0} />
      <App />
    </MantineProvider>
  </StrictMode>,
);
