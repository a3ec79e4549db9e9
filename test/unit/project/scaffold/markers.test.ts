import { describe, expect, it } from 'vitest';
import { insertAtMarkers } from '../../../../src/project/scaffold/sets/api.ts';

const main = `import a from 'a';
// +op-sdk:scaffold:imports

run(() => {
  // +op-sdk:scaffold:controllers
});
`;
const insert = (text: string, marker: string, ...lines: string[]) =>
  insertAtMarkers('src/main.ts', text, [{ marker, lines }]);

describe('insertAtMarkers', () => {
  it('inserts above the marker in its indentation', () => {
    expect(insert(main, 'controllers', 'add(b);', 'add(c);')).toBe(
      main.replace('  // +op', '  add(b);\n  add(c);\n  // +op'),
    );
  });

  it.each([
    ['indented differently', '\tadd("b");'],
    ["in a formatter's other style", "  add('b')"],
  ])('is idempotent, also after the lines were %s', (_title, moved) => {
    const once = insert(main, 'controllers', 'add("b");');
    expect(insert(once, 'controllers', 'add("b");')).toBe(once);
    const edited = once.replace('  add("b");', moved);
    expect(insert(edited, 'controllers', 'add("b");')).toBe(edited);
  });

  it('keeps Windows line ends, and knows markers in YAML', () => {
    expect(insert('a\r\n# +op-sdk:scaffold:x\r\nb\r\n', 'x', 'c')).toBe(
      'a\r\nc\r\n# +op-sdk:scaffold:x\r\nb\r\n',
    );
  });

  it('knows a marker with a remark behind it', () => {
    expect(insert('// +op-sdk:scaffold:imports (keep this)\r\n', 'imports', 'x')).toMatch(/^x\r\n\/\/ /);
  });

  it('says what to add by hand for every marker that is gone', () => {
    expect(() =>
      insertAtMarkers('src/main.ts', 'x\n', [
        { marker: 'imports', lines: ["import b from 'b';"] },
        { marker: 'controllers', lines: ['add(b);'] },
      ]),
    ).toThrow(
      expect.objectContaining({
        findings: [
          ['imports', "import b from 'b';"],
          ['controllers', 'add(b);'],
        ].map(([marker, line]) =>
          expect.objectContaining({
            code: 'scaffold/marker-missing',
            where: { file: 'src/main.ts' },
            fix: [
              expect.stringContaining(`// +op-sdk:scaffold:${marker}\``),
              expect.stringContaining(`\n${line}`),
            ],
          }),
        ),
      }),
    );
  });

  it('does not take a part of a longer name, or of a string, for the marker', () => {
    for (const text of ['// +op-sdk:scaffold:imports2\n', "const x = '// +op-sdk:scaffold:imports';\n"]) {
      expect(() => insert(text, 'imports', 'x')).toThrow(/marker-missing/);
    }
  });
});
