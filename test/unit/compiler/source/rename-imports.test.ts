import { describe, expect, test } from 'vitest';
import { renameImports } from '../../../../src/compiler/source/index.ts';

const renames = [{ module: 'opsdk', from: 'Old', to: 'New' }];
const renamed = (text: string): string => renameImports('src/main.ts', text, renames);

describe('a renamed export', () => {
  test.each([
    [
      'an import and its uses',
      "import { Old } from 'opsdk';\nOld.a( Old );\nlet x: Old;\n",
      "import { New } from 'opsdk';\nNew.a( New );\nlet x: New;\n",
    ],
    [
      'an import of a type, among others',
      'import { a, type Old,b } from "opsdk";\n',
      'import { a, type New,b } from "opsdk";\n',
    ],
    [
      'an import with a name of its own',
      "import { Old as Mine } from 'opsdk';\nMine();\n",
      "import { New as Mine } from 'opsdk';\nMine();\n",
    ],
    [
      'short properties',
      "import { Old } from 'opsdk';\nf({ Old, x: Old });\n",
      "import { New } from 'opsdk';\nf({ Old: New, x: New });\n",
    ],
    [
      'exports',
      "import { Old } from 'opsdk';\nexport { Old };\nexport { Old as X };\n",
      "import { New } from 'opsdk';\nexport { New as Old };\nexport { New as X };\n",
    ],
    [
      'exports from the module',
      "export { Old, Old as X } from 'opsdk';\n",
      "export { New as Old, New as X } from 'opsdk';\n",
    ],
    [
      'heritage and type arguments',
      "import { Old } from 'opsdk';\nclass A extends Old<Old> {}\n",
      "import { New } from 'opsdk';\nclass A extends New<New> {}\n",
    ],
    [
      'the import alone if the new name is taken',
      "import { Old } from 'opsdk';\nconst New = Old;\n",
      "import { New as Old } from 'opsdk';\nconst New = Old;\n",
    ],
    [
      'the import alone if the old name is declared again',
      "import { Old } from 'opsdk';\nfunction f(Old: number) { return Old; }\nOld();\n",
      "import { New as Old } from 'opsdk';\nfunction f(Old: number) { return Old; }\nOld();\n",
    ],
    [
      'the import alone if both are imported',
      "import { New, Old } from 'opsdk';\nOld(New);\n",
      "import { New, New as Old } from 'opsdk';\nOld(New);\n",
    ],
  ])('changes %s', (_words, before, after) => {
    expect(renamed(before)).toBe(after);
    expect(renamed(after)).toBe(after);
  });

  test.each([
    ['other modules', "import { Old } from './opsdk';\nOld();\n"],
    ['members of that name', "import { a } from 'opsdk';\na.Old; x = { Old: 1 };\n"],
    ['namespaces', "import * as sdk from 'opsdk';\nsdk.Old();\n"],
    ['comments and strings', "import { a } from 'opsdk'; // Old\na('Old');\n"],
    ['local names', "import { a } from 'opsdk';\nconst Old = a;\n"],
  ])('leaves %s alone', (_words, text) => {
    expect(renamed(text)).toBe(text);
  });

  test('keeps members and tuple labels of that name beside uses', () => {
    const before = "import { Old } from 'opsdk';\nx.Old = { Old: Old }; type T = [Old: Old];\n";
    expect(renamed(before)).toBe(
      "import { New } from 'opsdk';\nx.Old = { Old: New }; type T = [Old: New];\n",
    );
  });

  test('follows several renames in their order', () => {
    const chain = [...renames, { module: 'opsdk', from: 'New', to: 'Newer' }];
    expect(renameImports('a.ts', "import { Old } from 'opsdk';\nOld();\n", chain)).toBe(
      "import { Newer } from 'opsdk';\nNewer();\n",
    );
  });
});
