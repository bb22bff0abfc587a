/** The versions that this build has: of the program, and of the API that it speaks. */

/** As in package.json (a test compares them). */
export const VERSION = '0.1.0';

/** The date of the newest version of the API. A change of answers or requests that breaks clients makes it another one (decision 0094). */
export const API_VERSION = '2026-12-01';

/** It is a name, and no day on which something happens. */
export const API_VERSION_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
