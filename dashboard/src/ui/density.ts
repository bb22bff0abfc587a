/** How high rows of tables are: 44 px, or 36 for who wants more of them. Kept in this browser, the same in all its tabs. */
import { useLocalStorage } from '@mantine/hooks';

export type Density = 'normal' | 'compact';

export const useDensity = () =>
  useLocalStorage<Density>({
    key: 'bursar-rows',
    defaultValue: 'normal',
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (text) => (text === 'compact' ? 'compact' : 'normal'),
  });
