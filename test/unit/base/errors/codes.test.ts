import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import { exitCodeOf, type ErrorCode } from '../../../../src/base/errors/index.ts';
import { renderValidationRules } from '../../../../src/cli/validation-rules.ts';
import { explanations } from '../../../../src/cli/explanations/explanations.ts';
import { renderCodes, renderErrorsDocument } from '../../../../src/cli/explanations/document.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const codes = Object.keys(explanations) as ErrorCode[];

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sources(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

describe('the codes of errors', () => {
  test('docs/errors.md says the same', () => {
    expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toBe(renderErrorsDocument());
    expect(readFileSync(join(root, 'docs/validation-rules.md'), 'utf8')).toBe(renderValidationRules());
  });

  test('are written into the union that rooms throw', async () => {
    const style = await resolveConfig(join(root, 'package.json'));
    const written = await format(renderCodes(), { ...style, parser: 'typescript' });
    expect(readFileSync(join(root, 'src/base/errors/generated/codes.ts'), 'utf8')).toBe(written);
  });

  test('every code is used by the code, none is left over', () => {
    const text = [...sources(join(root, 'src')), join(root, 'bin', 'op-sdk.js')]
      .filter((file) => !/\/explanations\/|\/codes\.ts$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });

  test.each(codes)('%s has a title without a full stop and an explanation with one', (code) => {
    expect(code).toMatch(/^[a-z]+\/[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(explanations[code].title).toMatch(/[^.\s]$/);
    expect(explanations[code].explain).toMatch(/[.)`]$/);
  });

  test('a usage error among others decides the exit code', () => {
    expect(exitCodeOf(['io/cannot-write'])).toBe(1);
    expect(exitCodeOf(['io/cannot-write', 'cli/invalid-value'])).toBe(2);
  });
});
