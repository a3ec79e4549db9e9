import { expect, test } from 'vitest';
import { conflictsLeft, earlierMarks } from '../../../../src/project/upgrade/conflict-marks.ts';

const texts: Readonly<Record<string, string>> = {
  both: 'a\n<<<<<<< edited\nb\n=======\nc\n>>>>>>> op-sdk\n',
  end: 'a\r\nb\r\n=======\r\nc\r\n>>>>>>> op-sdk\r\n',
  begin: '<<<<<<< edited\nb\n',
  heading: 'Title\n=======\n',
  quoted: 'Look for `<<<<<<< edited`.\n<<<<<<< HEAD\n>>>>>>> op-sdk too\n',
};

test('a file has conflicts as long as one of the marks is left', async () => {
  const left = await conflictsLeft([...Object.keys(texts), 'gone'], (path) => Promise.resolve(texts[path]));
  expect(left.map(({ where }) => where)).toEqual([{ file: 'both' }, { file: 'end' }, { file: 'begin' }]);
});

test('marks of an earlier merge have their place', () => {
  expect(earlierMarks('f', texts['end'] ?? '')).toMatchObject({
    code: 'upgrade/conflict',
    where: { file: 'f', line: 5 },
  });
  expect(earlierMarks('f', texts['heading'] ?? '')).toBeUndefined();
});
