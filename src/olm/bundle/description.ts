import { isPlaceholder } from './check-base.ts';

/** The description of an operator for its users. A ClusterServiceVersion contains it, but it cannot be derived from any manifest. */
export interface OperatorDescription {
  readonly displayName: string;
  readonly description: string;
  readonly provider: string;
  /** An `http` or `https` URL. */
  readonly providerUrl?: string;
  readonly keywords: readonly string[];
  readonly maintainers: readonly Maintainer[];
}

export interface Maintainer {
  readonly name: string;
  readonly email: string;
}

/** A field of the description, with the question that asks a person for the value of the field. */
export interface DescriptionQuestion<K extends keyof OperatorDescription = keyof OperatorDescription> {
  readonly key: K;
  readonly flag: string;
  /** Text of the question, in the wording of operator-sdk. */
  readonly question: string;
  readonly placeholder: string;
  readonly required: boolean;
  /** Returns the problem with an answer; undefined if the answer is valid. */
  readonly check: (answer: string) => string | undefined;
  readonly read: (answer: string) => OperatorDescription[K];
  readonly write: (value: NonNullable<OperatorDescription[K]>) => string;
}

const text = {
  check: (answer: string): string | undefined => {
    if (answer.trim() === '') return 'it is empty';
    return isPlaceholder(answer) ? 'it is a placeholder' : undefined;
  },
  read: (answer: string): string => answer.trim(),
  write: (value: string): string => value,
};

function question<K extends keyof OperatorDescription>(asked: DescriptionQuestion<K>): DescriptionQuestion {
  // Erase the type parameter, because callers with a list of questions only pass values through and ignore their types.
  return asked as unknown as DescriptionQuestion;
}

/** All questions, in the order in which a person is asked. */
export const descriptionQuestions: readonly DescriptionQuestion[] = [
  question<'displayName'>({
    ...text,
    key: 'displayName',
    flag: '--display-name',
    question: 'Display name for the operator (required):',
    placeholder: 'Memcached Operator',
    required: true,
  }),
  question<'description'>({
    ...text,
    key: 'description',
    flag: '--description',
    question: 'Description for the operator (required):',
    placeholder: 'Runs Memcached clusters',
    required: true,
  }),
  question<'provider'>({
    ...text,
    key: 'provider',
    flag: '--provider',
    question: "Provider's name for the operator (required):",
    placeholder: 'Example Inc.',
    required: true,
  }),
  question<'providerUrl'>({
    key: 'providerUrl',
    flag: '--provider-url',
    question: 'Any relevant URL for the provider name (optional):',
    placeholder: 'https://example.com',
    required: false,
    check: checkUrl,
    read: (answer) => answer.trim(),
    write: (value) => value,
  }),
  question<'keywords'>({
    key: 'keywords',
    flag: '--keywords',
    question: 'Comma-separated list of keywords for your operator (required):',
    placeholder: 'cache,high availability',
    required: true,
    check: (answer) => checkKeywords(items(answer)),
    read: items,
    write: (value) => value.join(','),
  }),
  question<'maintainers'>({
    key: 'maintainers',
    flag: '--maintainers',
    question:
      "Comma-separated list of maintainers and their emails (e.g. 'name1:email1, name2:email2') (required):",
    placeholder: 'Jane Doe:jane@example.com',
    required: true,
    check: (answer) => checkMaintainers(readMaintainers(answer)),
    read: readMaintainers,
    write: (value) => value.map(({ name, email }) => `${name}:${email}`).join(', '),
  }),
];

/** Returns the problem with a URL; undefined if the URL is valid. */
function checkUrl(answer: string): string | undefined {
  if (isPlaceholder(answer)) return 'it is a placeholder';
  const url = URL.canParse(answer.trim()) ? new URL(answer.trim()) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return 'expected a URL that begins with https:// or http://';
  return undefined;
}

/** Returns the problem with a list of keywords; undefined if the list is valid. */
export function checkKeywords(keywords: readonly string[]): string | undefined {
  if (keywords.length === 0) return 'it is empty';
  return keywords.some((keyword) => keyword.trim() === '') ? 'one of the keywords is empty' : undefined;
}

/** Returns the problem with a list of maintainers; undefined if the list is valid. */
export function checkMaintainers(maintainers: readonly Maintainer[]): string | undefined {
  if (maintainers.length === 0) return 'it is empty';
  for (const { name, email } of maintainers) {
    if (name === '') return `${JSON.stringify(email)} has no name in front of a colon`;
    if (isPlaceholder(name) || isPlaceholder(email)) return `${name}:${email} is a placeholder`;
    if (!isEmail(email)) return `${JSON.stringify(email)} is not an email address`;
  }
  return undefined;
}

/**
 * Returns true for a text in the form of a mail address: a local part, an at sign, and a domain. Does not check that the address exists,
 * because only sending a mail could show that.
 */
function isEmail(value: string): boolean {
  return emailForm.test(value);
}

export const emailForm =
  /^[^\s@,:;<>"()[\]\\]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

function items(answer: string): readonly string[] {
  return answer.trim() === '' ? [] : answer.split(',').map((item) => item.trim());
}

function readMaintainers(answer: string): readonly Maintainer[] {
  return items(answer).map((item) => {
    const colon = item.lastIndexOf(':');
    return { name: item.slice(0, Math.max(colon, 0)).trim(), email: item.slice(colon + 1).trim() };
  });
}
