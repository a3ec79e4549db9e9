import { describe, expect, it } from 'vitest';
import { insertAtMarker } from '../../../src/scaffold/markers.ts';

const main = `import a from 'a';
// +op-sdk:scaffold:imports

run(() => {
  // +op-sdk:scaffold:controllers
});
`;

describe('insertAtMarker', () => {
  it('inserts above the marker in its indentation', () => {
    expect(insertAtMarker('m', main, 'controllers', ['add(b);', 'add(c);'])).toBe(
      main.replace('  // +op', '  add(b);\n  add(c);\n  // +op'),
    );
  });

  it('is idempotent, also after the lines were indented anew', () => {
    const once = insertAtMarker('m', main, 'controllers', ['add(b);']);
    expect(insertAtMarker('m', once, 'controllers', ['add(b);'])).toBe(once);
    const moved = once.replace('  add(b);', '\tadd(b);');
    expect(insertAtMarker('m', moved, 'controllers', ['add(b);'])).toBe(moved);
  });

  it('keeps Windows line ends, and knows markers in YAML', () => {
    expect(insertAtMarker('m', 'a\r\n# +op-sdk:scaffold:x\r\nb\r\n', 'x', ['c'])).toBe(
      'a\r\nc\r\n# +op-sdk:scaffold:x\r\nb\r\n',
    );
  });

  it('says what to add by hand when the marker is gone', () => {
    expect(() => insertAtMarker('src/main.ts', 'x\n', 'imports', ["import b from 'b';"])).toThrow(
      expect.objectContaining({
        findings: [
          expect.objectContaining({
            code: 'scaffold/marker-missing',
            where: { file: 'src/main.ts' },
            fix: [
              expect.stringContaining("import b from 'b';"),
              expect.stringContaining('// +op-sdk:scaffold:imports'),
            ],
          }),
        ],
      }),
    );
  });

  it('does not take a part of a longer name, or of a string, for the marker', () => {
    for (const text of ['// +op-sdk:scaffold:imports2\n', "const x = '// +op-sdk:scaffold:imports';\n"]) {
      expect(() => insertAtMarker('m', text, 'imports', ['x'])).toThrow(/marker-missing/);
    }
  });
});
