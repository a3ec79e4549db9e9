// A file of more than 400 lines has more than one purpose. Generated folders are exempt.
import { expect, test } from 'vitest';
import { filesBelow } from '../../helpers/source-files.ts';

const limit = 400;

test.each(['src', 'bin', 'scripts', 'bench', 'examples', 'test'])(
  'no file of %s has more than 400 lines',
  (folder) => {
    const files = filesBelow(folder, (path) => /\.(?:ts|mjs|cjs|js)$/.test(path));
    expect(files.length).toBeGreaterThan(0);
    const lengths = files.map(({ path, text }) => [path, text.split('\n').length - 1] as const);
    const tooLong = lengths.filter(([, lines]) => lines > limit);
    expect(Object.fromEntries(tooLong)).toEqual({});
  },
);
