/** Which addresses that are not public a sandbox's webhooks may go to. Decided in `config.ts`, kept in `guard.ts`. */

export const PRIVATE_TARGETS = ['none', 'loopback', 'private'] as const;

/**
 * What a sandbox may reach beside the open internet: nothing, this machine, or private networks as well. A live
 * environment reaches nothing but the open internet, whatever stands here.
 */
export type PrivateTargets = (typeof PRIVATE_TARGETS)[number];
