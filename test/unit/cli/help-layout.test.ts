import { describe, expect, test } from 'vitest';
import { helpWidth, layOut, wrapWords } from '../../../src/cli/flags/help-layout.ts';

test.each([
  [undefined, 80],
  [40, 40],
  [3, 20],
  [250, 100],
])('an output of %s columns has help of %d', (columns, width) => {
  expect(helpWidth(columns)).toBe(width);
});

test('words are never broken, however long they are', () => {
  expect(wrapWords('a kube-controller-manager is needed', 10)).toEqual([
    'a',
    'kube-controller-manager',
    'is needed',
  ]);
});

const text = `
Writes all objects into
one manifest:
  kubectl apply --server-side -f install.yaml

  bundle/manifests    the ClusterServiceVersion and the definitions
  bundle.Dockerfile   the image
`;

describe('the text behind the flags', () => {
  test('has paragraphs, commands, and descriptions in a column', () => {
    expect(layOut(text, 60)).toBe(
      [
        'Writes all objects into one manifest:',
        '  kubectl apply --server-side -f install.yaml',
        '',
        '  bundle/manifests   the ClusterServiceVersion and the',
        '                     definitions',
        '  bundle.Dockerfile  the image',
      ].join('\n'),
    );
  });

  test('puts descriptions below if the output is too narrow for a column', () => {
    expect(layOut(text, 40)).toBe(
      [
        'Writes all objects into one manifest:',
        '  kubectl apply --server-side -f install.yaml',
        '',
        '  bundle/manifests',
        '      the ClusterServiceVersion and the',
        '      definitions',
        '  bundle.Dockerfile',
        '      the image',
      ].join('\n'),
    );
  });
});
