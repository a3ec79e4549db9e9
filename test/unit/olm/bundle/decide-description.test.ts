import { describe, expect, test } from 'vitest';
import { descriptionQuestions } from '../../../../src/olm/bundle/index.ts';
import {
  decideDescription,
  type DescriptionSources,
} from '../../../../src/cli/commands/generate-kustomize-manifests.ts';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';

/** Somebody who gives these answers, and notes what was asked. */
function person(answers: readonly string[]) {
  const asked: [string, string][] = [];
  const rest = [...answers];
  return {
    asked,
    ask: (question: { readonly question: string }, initial: string): Promise<string> => {
      asked.push([question.question, initial]);
      return Promise.resolve(rest.shift() ?? '');
    },
  };
}

const decide = (sources: Partial<DescriptionSources>) =>
  decideDescription({
    questions: descriptionQuestions,
    flags: {},
    declared: {},
    proposed: {},
    ask: undefined,
    ...sources,
  });

const tutorial = [
  'Nginx Operator',
  'Operator for managing a basic Nginx deployment',
  'MyCompany',
  'http://mycompany.example',
  'nginx,tutorial',
  'Mike Dame:mike@mycompany.example',
];

describe('the description of an operator', () => {
  test('comes from the questions of the tutorial, in its order and words', async () => {
    const { ask, asked } = person(tutorial);
    expect(await decide({ ask, proposed: { displayName: 'Nginx Operator' } })).toEqual({
      displayName: 'Nginx Operator',
      description: 'Operator for managing a basic Nginx deployment',
      provider: 'MyCompany',
      providerUrl: 'http://mycompany.example',
      keywords: ['nginx', 'tutorial'],
      maintainers: [{ name: 'Mike Dame', email: 'mike@mycompany.example' }],
    });
    expect(asked).toEqual([
      ['Display name for the operator (required):', 'Nginx Operator'],
      ['Description for the operator (required):', ''],
      ["Provider's name for the operator (required):", ''],
      ['Any relevant URL for the provider name (optional):', ''],
      ['Comma-separated list of keywords for your operator (required):', ''],
      [
        "Comma-separated list of maintainers and their emails (e.g. 'name1:email1, name2:email2') (required):",
        '',
      ],
    ]);
  });

  test('asks only for what neither flags nor package.json say', async () => {
    const { ask, asked } = person(['MyCompany', '', 'A:a@example.com, B: b@example.com']);
    const description = await decide({
      ask,
      flags: { displayName: 'From a flag', keywords: ' high availability , nginx' },
      declared: { displayName: 'From package.json', description: 'From package.json' },
    });
    expect(asked.map(([question]) => question.split(' ')[0])).toEqual([
      "Provider's",
      'Any',
      'Comma-separated',
    ]);
    expect(description).toEqual({
      displayName: 'From a flag',
      description: 'From package.json',
      provider: 'MyCompany',
      keywords: ['high availability', 'nginx'],
      maintainers: [
        { name: 'A', email: 'a@example.com' },
        { name: 'B', email: 'b@example.com' },
      ],
    });
  });

  test('proposes lists as they are typed', async () => {
    const { ask, asked } = person(tutorial);
    await decide({
      ask,
      proposed: { keywords: ['a', 'b c'], maintainers: [{ name: 'A', email: 'a@example.com' }] },
    });
    expect(asked.slice(4).map(([, initial]) => initial)).toEqual(['a,b c', 'A:a@example.com']);
  });

  test('does not ask when a flag is wrong already', async () => {
    const { ask, asked } = person(tutorial);
    await expect(decide({ ask, flags: { providerUrl: 'no' } })).rejects.toSatisfy(isOpSdkError);
    expect(asked).toEqual([]);
  });
});

test.each(descriptionQuestions.map((question) => [question.key, question] as const))(
  'the answer for %s reads back what it writes',
  (_, { check, read, write, placeholder }) => {
    expect(check(placeholder)).toBeUndefined();
    const value = read(placeholder);
    expect(read(write(value as never))).toEqual(value);
    expect(check('')).toBeTypeOf('string');
  },
);
