// Texts of definitions stay in their lines, whatever is in them.
import { expect, test } from 'vitest';
import { renderMarkdown, renderText } from '../../../../../src/kubernetes/crd/diff/render-changes.ts';
import type { CrdChange } from '../../../../../src/kubernetes/crd/diff/change.ts';

const hostile = 'x\n::error::y\r::add-mask::z\u001b[2J';
const change: CrdChange = {
  code: 'field-added',
  severity: 'compatible',
  affects: [],
  ratcheted: false,
  crd: hostile,
  version: hostile,
  path: hostile,
  message: hostile,
  explanation: `${'x'.repeat(90)} ::error::${hostile}`,
};

test.each([
  ['text', renderText([change], { all: true })],
  [
    'text of a waiver',
    renderText([{ ...change, waived: { reason: hostile, until: '2999-12-31' } }], { all: true }),
  ],
  ['markdown', renderMarkdown([change], { all: true })],
])('%s has no command of GitHub Actions', (_, text) => {
  expect(text).toContain('error');
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});
