/**
 * For tests that must not depend on the speed of a machine: loaded into a server before anything else, no clock cuts off who takes a file slowly.
 * What a clock does: `src/platform/http/transfer/stream.test.ts`. Never loaded by anything but tests.
 */
import { Pace } from '../../../src/platform/http/transfer/pace.ts';

Object.assign(Pace.prototype, { wait() {} });
