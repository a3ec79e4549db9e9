import { OpSdkError, type Finding } from '../base/errors/index.ts';
import type { ImageReference } from './types.ts';

/** The registry of image names that do not contain a registry. */
const defaultRegistry = 'docker.io';

const componentForm = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const hostLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const hostForm = new RegExp(`^${hostLabel}(?:\\.${hostLabel})*(?::\\d+)?$`);
const hostV6Form = /^\[[0-9a-fA-F:]+\](?::\d+)?$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const digestForm = /^sha256:[0-9a-f]{64}$/;

/** Maximum length in characters that registries allow for the name of a repository. */
const longestRepository = 255;

/**
 * Parses an image name as container tools do: `team/operator` is `docker.io/team/operator`, `node:24` is `docker.io/library/node:24`. The
 * part before the first slash is a registry if it contains a dot or a port or is `localhost`. No tag is added; {@link tagOrDigest} supplies
 * the default tag.
 * @param text `[registry/]repository[:tag][@sha256:…]`
 * @param flag flag with which the text was given, such as `--tag`, for the findings
 * @throws OpSdkError `oci/invalid-reference` with all findings
 * @see https://github.com/distribution/reference/blob/main/reference.go for the grammar
 */
export function parseReference(text: string, flag?: string): ImageReference {
  const at = text.indexOf('@');
  const digest = at === -1 ? undefined : text.slice(at + 1);
  const beforeDigest = at === -1 ? text : text.slice(0, at);
  // A colon before a slash belongs to the port of the registry.
  const colon = beforeDigest.indexOf(':', beforeDigest.lastIndexOf('/') + 1);
  const tag = colon === -1 ? undefined : beforeDigest.slice(colon + 1);
  const name = colon === -1 ? beforeDigest : beforeDigest.slice(0, colon);

  if (/^[a-z]+:\/\//i.test(text)) {
    const fix = `write it without the scheme: ${text.replace(/^[a-z]+:\/\//i, '')}`;
    throw new OpSdkError(invalidReference(`'${text}' is a URL, not the name of an image`, [fix], flag));
  }
  const { registry, repository } = splitName(name);
  const problems = [...registryProblems(registry), ...repositoryProblems(repository)];
  if (tag !== undefined && !tagForm.test(tag)) {
    problems.push({
      message: `the tag '${tag}' has other characters than letters, digits, _ . -, begins with . or -, or is empty or longer than 128`,
      fix: 'choose another tag, such as v0.1.0; versions with + cannot be tags',
    });
  }
  if (digest !== undefined && !digestForm.test(digest))
    problems.push({
      message: `invalid digest '${digest}': expected sha256: followed by 64 hexadecimal digits in lower case`,
      fix: 'correct it, or use a tag',
    });
  if (problems.length > 0)
    throw new OpSdkError(
      problems.map(({ message, fix }) =>
        invalidReference(`'${text}' names no image: ${message}`, [fix], flag),
      ),
    );
  return {
    registry,
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Formats the full name of an image, including the registry: `docker.io/library/node:24`. Adds no default tag. */
export function formatReference({ registry, repository, tag, digest }: ImageReference): string {
  const named = `${registry}/${repository}`;
  return `${named}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** Returns a reference with the tag `latest` added if the reference has neither tag nor digest. */
export function withDefaultTag(reference: ImageReference): ImageReference {
  const isComplete = reference.tag !== undefined || reference.digest !== undefined;
  return isComplete ? reference : { ...reference, tag: 'latest' };
}

/** Returns the tag or digest that selects an image within its repository: the digest, else the tag, else `latest`. */
export function tagOrDigest({ tag, digest }: ImageReference): string {
  return digest ?? tag ?? 'latest';
}

function splitName(name: string): { readonly registry: string; readonly repository: string } {
  const slash = name.indexOf('/');
  const first = name.slice(0, slash);
  // If the first part contains upper case, it cannot be a repository, so it is treated as a registry; checkRegistry then reports it with a
  // fix.
  const hasRegistry =
    slash !== -1 && (/[.:[]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  // The grammar allows a name such as `localhost` as a repository of Docker Hub, but users mean a registry.
  if (slash === -1 && /^(?:localhost|\d+(?:\.\d+){3})$/.test(name)) return { registry: name, repository: '' };
  const registry = hasRegistry ? first : defaultRegistry;
  const path = hasRegistry ? name.slice(slash + 1) : name;
  // `index.docker.io` is the original name of Docker Hub, so it is treated as `docker.io`.
  if (registry !== defaultRegistry && registry !== 'index.docker.io') return { registry, repository: path };
  const repository = path === '' || path.includes('/') ? path : `library/${path}`;
  return { registry: defaultRegistry, repository };
}

interface Problem {
  readonly message: string;
  readonly fix: string;
}

function registryProblems(registry: string): readonly Problem[] {
  const problems: Problem[] = [];
  const isHost = hostForm.test(registry) || hostV6Form.test(registry);
  const port = /:(\d+)$/.exec(registry)?.[1];
  if (!isHost)
    problems.push({
      message: `invalid registry '${registry}': expected host or host:port`,
      fix: 'write registry.example.com/team/name:tag',
    });
  else if (port !== undefined && (Number(port) < 1 || Number(port) > 65535))
    problems.push({
      message: `invalid port ${port}: expected 1 to 65535`,
      fix: 'correct the port of the registry',
    });
  else if (!/[.:]/.test(registry) && registry !== 'localhost') {
    problems.push({
      message: `'${registry}' has upper case letters and no dot or port, so it is neither a repository nor clearly a registry`,
      fix: `for a repository write ${registry.toLowerCase()}/…; for a registry add its port: ${registry}:443/…`,
    });
  }
  return problems;
}

function repositoryProblems(repository: string): readonly Problem[] {
  const problems: Problem[] = [];
  if (repository === '') {
    problems.push({ message: 'the repository is missing', fix: 'write registry.example.com/team/name:tag' });
    return problems;
  }
  if (repository.length > longestRepository)
    problems.push({
      message: `the repository is longer than ${longestRepository} characters`,
      fix: 'shorten it',
    });
  if (/^[0-9a-f]{64}$/.test(repository.replace(/^library\//, '')))
    problems.push({
      message: '64 hexadecimal digits are the id of an image, not a name',
      fix: 'name a repository',
    });
  for (const component of repository.split('/')) {
    if (componentForm.test(component)) continue;
    if (component === '')
      problems.push({
        message: 'the repository has two slashes in a row, or begins or ends with a slash',
        fix: 'remove the superfluous slash',
      });
    else if (componentForm.test(component.toLowerCase()))
      problems.push({
        message: `'${component}' has upper case letters`,
        fix: `write ${component.toLowerCase()}`,
      });
    else {
      problems.push({
        message: `invalid part of a repository '${component}'`,
        fix: 'use lower case letters and digits, with single . or _, __ or any number of - between them',
      });
    }
  }
  return problems;
}

function invalidReference(message: string, fix: readonly string[], flag: string | undefined): Finding {
  return { code: 'oci/invalid-reference', message, fix, ...(flag === undefined ? {} : { where: { flag } }) };
}
