import type { Finding } from '../../base/errors/index.ts';
import { placeInJson } from '../../kubernetes/yaml/index.ts';
import {
  checkKeywords,
  checkMaintainers,
  descriptionQuestions,
  emailForm,
  type Maintainer,
  type OperatorDescription,
} from './description.ts';
import { releaseFields, type ReleaseField, type ReleaseFields } from './metadata.ts';
import { type JsonMap, asText, isJsonMap, jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import {
  described,
  list,
  mapped,
  object,
  orNull,
  string,
  unchecked,
  withSchema,
} from '../../base/util/json-reader.ts';
import {
  documentStyle,
  invalid,
  readJson,
  type JsonPath,
  type JsonReader,
} from '../../base/util/read-json.ts';

/** Description of the operator in package.json. */
interface PackageDescription {
  /** Values in the key `opsdk`. They answer the questions about the description, as flags do. */
  readonly declared: Partial<OperatorDescription>;
  /** Release fields in the key `opsdk`: fields about former releases and the required cluster. */
  readonly release: ReleaseFields;
  /** Answers to the same questions, derived from npm's own fields of package.json. They are proposed for questions without an answer. */
  readonly derived: Partial<OperatorDescription>;
  /** URL of the operator's own page, if npm's fields name one. */
  readonly homepage?: string;
  readonly findings: readonly Finding[];
}

const FILE = 'package.json';

/**
 * Reads the description of the operator from the text of a package.json. The key `opsdk` has the form `{"opsdk": {"displayName",
 * "description", "provider": {"name", "url"}, "keywords": [], "maintainers": [{"name", "email"}], "replaces", "skips": [], "skipRange",
 * "minKubeVersion"}}`. Also reads npm's fields description, keywords, author, maintainers, homepage and repository.
 */
export function packageDescription(text: string): PackageDescription {
  let json: unknown;
  try {
    json = JSON.parse(text) as unknown;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return {
      declared: {},
      release: {},
      derived: {},
      findings: [
        {
          code: 'bundle/answer-invalid',
          message: `package.json is not JSON: ${problem}`,
          where: { file: FILE },
          fix: ['correct the file'],
        },
      ],
    };
  }
  const root = jsonMapOf(json);
  const { value: { declared, release } = noAnswers, problems } = readJson(
    declaredReader,
    root['opsdk'] ?? {},
    'opsdk',
    {
      style: { ...documentStyle, nullIsMissing: false },
      path: ['opsdk'],
    },
  );
  const homepage = pageOf(root);
  return {
    declared,
    release,
    derived: derivedFrom(root),
    ...(homepage === undefined ? {} : { homepage }),
    findings: problems.map(({ path, message, fix }) => ({
      code: 'bundle/answer-invalid',
      message: `${message} (in package.json)`,
      where: placeInJson(text, FILE, path),
      fix: [fix, `or give a flag instead: \`op-sdk ${commandOf(path)} --help\` lists them`],
    })),
  };
}

/**
 * Creates a reader of one answer. The reader reports the answer if it cannot be read or `check` refuses it. The reader always returns a
 * defined value, so that nobody is asked the question again.
 * @param unread the result if the answer cannot be read
 */
function answer<T>(reader: JsonReader<T>, check: (value: T) => string | undefined, unread: T): JsonReader<T> {
  return withSchema<T>(reader.schema, (value, place) => {
    const { value: read, problems } = readJson(reader, value, place.label, place);
    for (const problem of problems) place.report(problem);
    // Skip the check if items are unreadable, because `read` lacks these items.
    const problem = read === undefined || problems.length > 0 ? undefined : check(read);
    if (problem !== undefined) invalid(place, problem, 'correct it, or remove it');
    return read ?? unread;
  });
}

function textFor(
  key: keyof OperatorDescription,
  description: string,
  keywords: JsonMap = notBlank,
): JsonReader<string> {
  const text = answer(string, (value) => checkAnswer(key, value), '');
  const example = descriptionQuestions.find((question) => question.key === key)?.placeholder;
  return described(description, text, { ...keywords, examples: [example] });
}

const notBlank = { pattern: '\\S' };

const maintainer: JsonReader<Maintainer> = mapped(
  described(
    'A maintainer.',
    object(
      {
        name: described('Name of the maintainer.', string, { minLength: 1 }),
        email: described('Mail address of the maintainer.', string, { pattern: emailForm.source }),
      },
      { others: 'ignore' },
    ),
    { required: ['name', 'email'] },
  ),
  ({ name = '', email = '' }) => ({ name, email }),
);

const providerReader = object(
  {
    name: textFor('provider', 'Name of the provider.'),
    url: textFor('providerUrl', 'Page of the provider.', { pattern: '^\\s*[Hh][Tt][Tt][Pp][Ss]?:' }),
  },
  { others: 'ignore' },
);

function releaseAnswer({ isList, check, description, keywords }: ReleaseField): JsonReader<unknown> {
  if (!isList)
    return described(
      description,
      answer(string, (value) => says(value, check), ''),
      keywords,
    );
  const names = answer(
    list(described(description, string, keywords)),
    (values) => values.map((value) => says(value, check)).find((problem) => problem !== undefined),
    [],
  );
  return described(description, names);
}

function says(value: string, check: ReleaseField['check']): string | undefined {
  const problem = check(value);
  return problem === undefined ? undefined : `${JSON.stringify(value)}: ${problem}`;
}

interface Answers {
  readonly declared: Partial<OperatorDescription>;
  readonly release: ReleaseFields;
}

const noAnswers: Answers = { declared: {}, release: {} };

/** Reads the key `opsdk` of package.json. */
export const declaredReader: JsonReader<Answers> = mapped(
  object({
    ...Object.fromEntries(releaseFields.map((field) => [field.key, releaseAnswer(field)])),
    displayName: textFor('displayName', 'Name of the operator, as catalogues show it.'),
    description: textFor('description', 'Description of the operator, in Markdown.'),
    provider: described('Provider of the operator. null: there is none to name.', orNull(providerReader)),
    keywords: described(
      'Words by which people find the operator.',
      answer(list(described('A word.', string, notBlank)), checkKeywords, []),
      { minItems: 1, examples: [['cache', 'high availability']] },
    ),
    maintainers: described(
      'People who maintain the operator.',
      answer(list(maintainer), checkMaintainers, []),
      {
        minItems: 1,
        examples: [[{ name: 'Jane Doe', email: 'jane@example.com' }]],
      },
    ),
    // Options of `op-sdk crd diff`, which are not part of the description.
    crdDiff: described('What `op-sdk crd diff` counts otherwise in this project.', unchecked),
  }),
  ({ provider = {}, crdDiff: _, ...rest }) => {
    const isRelease = (key: string): boolean => releaseFields.some((field) => field.key === key);
    const part = (wanted: boolean): Readonly<Record<string, unknown>> =>
      Object.fromEntries(Object.entries(rest).filter(([key]) => isRelease(key) === wanted));
    return {
      declared: withoutUndefined({ ...part(false), provider: provider.name, providerUrl: provider.url }),
      release: withoutUndefined(part(true)),
    };
  },
);

/** Returns the command that has a flag for the field at the given path below the key `opsdk`. */
function commandOf([, key]: JsonPath): string {
  return releaseFields.some((field) => field.key === key)
    ? 'generate bundle'
    : 'generate kustomize manifests';
}

/**
 * Derives answers about the operator from npm's fields of package.json. Omits values that are not valid answers, because these fields may
 * contain anything.
 */
function derivedFrom(root: JsonMap): Partial<OperatorDescription> {
  const { description, keywords, author } = root;
  const people = [author, ...jsonListOf(root['maintainers']), ...jsonListOf(root['contributors'])].map(
    personOf,
  );
  const reachable = people.flatMap(({ name, email }) =>
    name === undefined || email === undefined ? [] : [{ name, email }],
  );
  const maintainers = reachable.filter(
    ({ email }, index) => reachable.findIndex((other) => other.email === email) === index,
  );
  const words = jsonListOf(keywords).filter((word) => typeof word === 'string');
  return withoutUndefined({
    description: fitting('description', description),
    provider: fitting('provider', personOf(author).name),
    providerUrl: fitting('providerUrl', personOf(author).url),
    keywords: checkKeywords(words) === undefined ? words : undefined,
    maintainers: checkMaintainers(maintainers) === undefined ? maintainers : undefined,
  });
}

/**
 * Reads a person in one of npm's forms: an object, or a text `Name <email> (url)`. Source: npm's package.json documentation, "people
 * fields".
 */
function personOf(value: unknown): {
  name?: string | undefined;
  email?: string | undefined;
  url?: string | undefined;
} {
  if (isJsonMap(value)) {
    const part = (key: string): string | undefined => asText(value[key]) || undefined;
    return { name: part('name'), email: part('email'), url: part('url') };
  }
  if (typeof value !== 'string') return {};
  const match = /^\s*([^<(]*?)\s*(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?\s*$/.exec(value);
  return { name: match?.[1] === '' ? undefined : match?.[1], email: match?.[2], url: match?.[3] };
}

function pageOf(root: JsonMap): string | undefined {
  const { repository } = root;
  const source = isJsonMap(repository) ? repository['url'] : repository;
  const candidates = [
    root['homepage'],
    asText(source)
      .replace(/^git\+/, '')
      .replace(/\.git$/, ''),
  ];
  return candidates.map((candidate) => fitting('providerUrl', candidate)).find((page) => page !== undefined);
}

function fitting(key: keyof OperatorDescription, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return checkAnswer(key, value) === undefined ? value : undefined;
}

/** Returns the problem with the answer to a question; undefined if the answer is valid. */
function checkAnswer(key: keyof OperatorDescription, value: string): string | undefined {
  return descriptionQuestions.find((question) => question.key === key)?.check(value);
}

function withoutUndefined(
  values: Readonly<Record<string, unknown>>,
): Partial<OperatorDescription> & ReleaseFields {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
