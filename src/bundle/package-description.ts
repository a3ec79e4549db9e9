import type { Finding } from '../errors/index.ts';
import { isOpSdkError } from '../errors/index.ts';
import { parseYaml } from '../yaml/index.ts';
import {
  checkKeywords,
  checkMaintainers,
  descriptionQuestions,
  type Maintainer,
  type OperatorDescription,
} from './description.ts';
import { type JsonMap, asText, isJsonMap } from '../util/json-map.ts';

/** What package.json says of the operator. */
export interface PackageDescription {
  /** The key `opsdk`: answers, as much as flags are. */
  readonly given: Partial<OperatorDescription>;
  /** npm's own fields: a proposal for what nobody answers. */
  readonly derived: Partial<OperatorDescription>;
  /** The operator's own page, if npm's fields name one. */
  readonly homepage?: string;
  readonly findings: readonly Finding[];
}

const FILE = 'package.json';
const keys = ['displayName', 'description', 'provider', 'keywords', 'maintainers'];

/**
 * Reads what a package.json says of the operator: `{"opsdk": {"displayName", "description", "provider": {"name", "url"},
 * "keywords": [], "maintainers": [{"name", "email"}]}}`, and npm's fields description, keywords, author, maintainers,
 * homepage and repository.
 */
export function packageDescription(text: string): PackageDescription {
  const findings: Finding[] = [];
  const invalid = (path: readonly (string | number)[], problem: string): void => {
    findings.push({
      code: 'bundle/answer-invalid',
      message: `${path.join('.')} in package.json: ${problem}`,
      where: placeOf(text, path),
      fix: [
        'correct it, or remove it and give a flag: `op-sdk generate kustomize manifests --help` lists them',
      ],
    });
  };
  let json: unknown;
  try {
    json = JSON.parse(text) as unknown;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return {
      given: {},
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
  const root = isJsonMap(json) ? json : {};
  const own = root['opsdk'] ?? {};
  if (!isJsonMap(own)) {
    invalid(['opsdk'], 'it is no object');
    return { given: {}, derived: derivedFrom(root), findings };
  }
  for (const key of Object.keys(own).filter((name) => !keys.includes(name))) {
    invalid(['opsdk', key], `op-sdk knows no such key; it reads ${keys.join(', ')}`);
  }
  const homepage = pageOf(root);
  return {
    given: givenIn(own, invalid),
    derived: derivedFrom(root),
    ...(homepage === undefined ? {} : { homepage }),
    findings,
  };
}

type Complain = (path: readonly (string | number)[], problem: string) => void;

function givenIn(own: JsonMap, invalid: Complain): Partial<OperatorDescription> {
  const text = (
    value: unknown,
    key: keyof OperatorDescription,
    path: readonly string[],
  ): string | undefined => {
    if (value === undefined) return undefined;
    const problem =
      typeof value === 'string'
        ? descriptionQuestions.find((question) => question.key === key)?.check(value)
        : 'it is not text';
    if (problem !== undefined) invalid(path, problem);
    return asText(value);
  };
  const provider = own['provider'] ?? {};
  if (!isJsonMap(provider)) invalid(['opsdk', 'provider'], 'it is no object with name and url');
  const { name, url } = isJsonMap(provider) ? provider : {};
  return withoutUndefined({
    displayName: text(own['displayName'], 'displayName', ['opsdk', 'displayName']),
    description: text(own['description'], 'description', ['opsdk', 'description']),
    provider: text(name, 'provider', ['opsdk', 'provider', 'name']),
    providerUrl: text(url, 'providerUrl', ['opsdk', 'provider', 'url']),
    keywords: keywordsIn(own['keywords'], invalid),
    maintainers: maintainersIn(own['maintainers'], invalid),
  });
}

function keywordsIn(value: unknown, invalid: Complain): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const isList = Array.isArray(value) && (value as unknown[]).every((item) => typeof item === 'string');
  const keywords = isList ? (value as readonly string[]) : [];
  const problem = isList ? checkKeywords(keywords) : 'it is no list of texts';
  if (problem !== undefined) invalid(['opsdk', 'keywords'], problem);
  return keywords;
}

function maintainersIn(value: unknown, invalid: Complain): readonly Maintainer[] | undefined {
  if (value === undefined) return undefined;
  const isList = Array.isArray(value) && (value as unknown[]).every(isJsonMap);
  const maintainers = isList
    ? (value as readonly JsonMap[]).map(({ name, email }) => ({ name: asText(name), email: asText(email) }))
    : [];
  const problem = isList ? checkMaintainers(maintainers) : 'it is no list of objects with name and email';
  if (problem !== undefined) invalid(['opsdk', 'maintainers'], problem);
  return maintainers;
}

/** npm's fields hold whatever they hold: what does not fit is no proposal. */
function derivedFrom(root: JsonMap): Partial<OperatorDescription> {
  const { description, keywords, author } = root;
  const people = [author, ...listOf(root['maintainers']), ...listOf(root['contributors'])].map(personOf);
  const reachable = people.flatMap(({ name, email }) =>
    name === undefined || email === undefined ? [] : [{ name, email }],
  );
  const maintainers = reachable.filter(
    ({ email }, index) => reachable.findIndex((other) => other.email === email) === index,
  );
  const words = listOf(keywords).filter((word) => typeof word === 'string');
  return withoutUndefined({
    description: fitting('description', description),
    provider: fitting('provider', personOf(author).name),
    providerUrl: fitting('providerUrl', personOf(author).url),
    keywords: checkKeywords(words) === undefined ? words : undefined,
    maintainers: checkMaintainers(maintainers) === undefined ? maintainers : undefined,
  });
}

/** npm's form of people, an object or `Name <email> (url)`. Source: npm's package.json documentation, "people fields". */
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
  const question = descriptionQuestions.find((candidate) => candidate.key === key);
  return question?.check(value) === undefined ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function placeOf(text: string, path: readonly (string | number)[]): Finding['where'] & object {
  try {
    return parseYaml(text, FILE).locate(path);
  } catch (error) {
    // JSON that YAML reads in another way has no places; the path in the message must do.
    if (isOpSdkError(error)) return { file: FILE };
    throw error;
  }
}

function withoutUndefined(values: Readonly<Record<string, unknown>>): Partial<OperatorDescription> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
