import { expect, test } from 'vitest';
import { nextSteps, type DevState, type NextSteps } from '../../../../src/cli/actions/dev/dev-loop.ts';

const state = (
  crds?: string,
  bundle?: string,
  samples?: string,
  access?: string,
  webhooks?: string,
): DevState => ({
  crds,
  samples,
  access,
  webhooks,
  bundle,
});
const steps = (...names: readonly (keyof NextSteps)[]): NextSteps => ({
  installCrds: names.includes('installCrds'),
  bringAccess: names.includes('bringAccess'),
  bringWebhooks: names.includes('bringWebhooks'),
  restart: names.includes('restart'),
  applySamples: names.includes('applySamples'),
});

test.each<[string, DevState, DevState, boolean, NextSteps]>([
  [
    'at the start everything',
    state(),
    state('c1', 'b1', 's1'),
    false,
    steps('installCrds', 'restart', 'applySamples'),
  ],
  ['without samples, none', state(), state('c1', 'b1'), false, steps('installCrds', 'restart')],
  ['nothing has changed: nothing', state('c1', 'b1', 's1'), state('c1', 'b1', 's1'), true, steps()],
  ['a controller: a restart alone', state('c1', 'b1', 's1'), state('c1', 'b2', 's1'), true, steps('restart')],
  [
    'a sample: the samples alone',
    state('c1', 'b1', 's1'),
    state('c1', 'b1', 's2'),
    true,
    steps('applySamples'),
  ],
  [
    'a type: its CRD, the operator, whose watches are older, and the samples, which may be meant for it',
    state('c1', 'b1', 's1'),
    state('c2', 'b1', 's1'),
    true,
    steps('installCrds', 'restart', 'applySamples'),
  ],
  [
    'a type and what uses it',
    state('c1', 'b1', 's1'),
    state('c2', 'b2', 's1'),
    true,
    steps('installCrds', 'restart', 'applySamples'),
  ],
  [
    'sources with errors: the operator stays',
    state('c1', 'b1', 's1'),
    state(undefined, undefined, 's1'),
    true,
    steps(),
  ],
  [
    'a sample beside sources with errors',
    state('c1', 'b1', 's1'),
    state(undefined, undefined, 's2'),
    true,
    steps('applySamples'),
  ],
  [
    'an operator that ended by itself starts again, whatever has changed',
    state('c1', 'b1', 's1'),
    state('c1', 'b1', 's2'),
    false,
    steps('restart', 'applySamples'),
  ],
  [
    'roles: they are brought first, and the operator tries again what it was forbidden',
    state('c1', 'b1', 's1', 'a1'),
    state('c1', 'b1', 's1', 'a2'),
    true,
    steps('bringAccess', 'restart'),
  ],
  [
    'roles with errors, and so no bundle that may run: the operator stays',
    state('c1', 'b1', 's1', 'a1'),
    state('c1', undefined, 's1'),
    true,
    steps(),
  ],
  [
    'webhook configurations: they are brought before the operator is started with what they need',
    state('c1', 'b1', 's1', 'a1', 'w1'),
    state('c1', 'b1', 's1', 'a1', 'w2'),
    true,
    steps('bringWebhooks', 'restart'),
  ],
  [
    'webhook configurations with errors stay as they are',
    state('c1', 'b1', 's1', 'a1', 'w1'),
    state('c1', 'b1', 's1', 'a1'),
    true,
    steps(),
  ],
  ['samples with errors stay as they are', state('c1', 'b1', 's1'), state('c1', 'b1'), true, steps()],
])('%s', (_title, done, wanted, running, expected) => {
  expect(nextSteps(done, wanted, running)).toEqual(expected);
});
