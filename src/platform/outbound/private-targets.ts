/** Which addresses that are not public a sandbox's webhooks may go to. Decided in `config.ts`, kept in `guard.ts`. */

export const PRIVATE_TARGETS = ['none', 'loopback', 'private'] as const;

/**
 * Beside the open internet: nothing, this machine, or private networks as well. Sandboxes only, whatever stands here.
 */
export type PrivateTargets = (typeof PRIVATE_TARGETS)[number];
