import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { editYaml } from '../../project/project/index.ts';
import {
  replaceYamlList,
  addToYamlList,
  setInYamlMap,
  parseYaml,
  withoutMarkerAfterComment,
  toYaml,
} from '../../kubernetes/yaml/index.ts';
import { defaultInstallModes } from './csv.ts';
import { descriptionQuestions, type Maintainer, type OperatorDescription } from './description.ts';
import { type JsonMap, asText, isJsonMap } from '../../base/util/json-map.ts';
import { anyObject, list, mapped, object, oneOf } from '../../base/util/json-reader.ts';
import { documentStyle, readJson } from '../../base/util/read-json.ts';
import type { Icon } from './icon-format.ts';
import { compareOwned, describesKind, type OwnedName } from './examples.ts';

/** Oldest Kubernetes version with which op-sdk operators are tested. A base ClusterServiceVersion may set another version. */
const OLDEST_KUBERNETES = '1.32.0';

/** Input for a new base ClusterServiceVersion. */
interface NewBase {
  readonly packageName: string;
  readonly description: OperatorDescription;
  /** URL of the operator's own page. Default: the provider's page. */
  readonly homepage?: string | undefined;
  readonly icon?: Icon | undefined;
  /**
   * Kinds that the operator owns. Further fields of their entries come from the sources and the manifests, unless the user writes these
   * fields into the base.
   */
  readonly owned: readonly OwnedName[];
  /** True if the operator watches only given namespaces, so that OLM supports every install mode. Default: false. */
  readonly namespaced?: boolean | undefined;
}

/**
 * Returns a new base ClusterServiceVersion. It contains the fields that people write; fields that op-sdk derives from manifests are
 * omitted.
 */
export function newBase(base: NewBase): JsonMap {
  const { packageName, description, homepage, icon, owned, namespaced = false } = base;
  const { provider, providerUrl, keywords, maintainers } = description;
  const link =
    homepage === undefined
      ? providerUrl === undefined
        ? undefined
        : { name: provider, url: providerUrl }
      : { name: description.displayName, url: homepage };
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      annotations: { capabilities: 'Basic Install' },
      name: `${packageName}.v0.0.0`,
      namespace: 'placeholder',
    },
    spec: {
      apiservicedefinitions: {},
      customresourcedefinitions: { owned: owned.map(nameOnly).sort(compareOwned) },
      description: description.description,
      displayName: description.displayName,
      ...(icon === undefined ? {} : { icon: [icon] }),
      installModes: namespaced
        ? defaultInstallModes.map(({ type }) => ({ type, supported: true }))
        : defaultInstallModes,
      keywords,
      ...(link === undefined ? {} : { links: [link] }),
      maintainers,
      maturity: 'alpha',
      minKubeVersion: OLDEST_KUBERNETES,
      provider: { name: provider, ...(providerUrl === undefined ? {} : { url: providerUrl }) },
      version: '0.0.0',
    },
  };
}

/** Changes to an existing base ClusterServiceVersion. */
interface BaseChanges {
  /** Path of the base file, relative to the project. */
  readonly file: string;
  readonly owned: readonly OwnedName[];
  /** New values of the description. All fields that are not given keep their values. */
  readonly description: Partial<OperatorDescription>;
  readonly icon?: Icon | undefined;
}

/**
 * Adds new kinds and new answers of the user to a base ClusterServiceVersion by text edits, so that comments, order and hand-written fields
 * are preserved. Entries of kinds that no longer exist are reported and kept.
 * @throws OpSdkError if the file is not a ClusterServiceVersion or cannot be edited
 */
export function mergeBase(
  text: string,
  { file, owned, description, icon }: BaseChanges,
): { readonly text: string; readonly warnings: readonly Finding[] } {
  const { entries, locate } = readBase(text, file);
  const gone = entries.flatMap((entry, index): readonly Finding[] =>
    owned.some((kind) => describesKind(entry, kind))
      ? []
      : [
          {
            code: 'bundle/unknown-owned-kind',
            message: `the base ClusterServiceVersion describes ${asText(entry['kind'])} ${asText(entry['version'])} (${asText(entry['name'])}), which the sources no longer declare`,
            where: locate(index),
            fix: ['remove this entry from the base ClusterServiceVersion'],
          },
        ],
  );
  const path = ['spec', 'customresourcedefinitions', 'owned'];
  const fresh = owned.filter((kind) => !entries.some((entry) => describesKind(entry, kind)));
  let result = withoutMarkerAfterComment(text);
  for (const kind of fresh.map(nameOnly).sort(compareOwned)) {
    result = editYaml(file, toYaml({ spec: { customresourcedefinitions: { owned: [kind] } } }), () =>
      addToYamlList(result, path, kind),
    );
  }
  result = withDescription(result, file, description);
  if (icon !== undefined) {
    result = editYaml(file, toYaml({ spec: { icon: [icon] } }), () =>
      replaceYamlList(result, ['spec', 'icon'], [icon]),
    );
  }
  return { text: result, warnings: gone };
}

/**
 * Reads the description of the operator from a base ClusterServiceVersion and returns it as answers to the prompts. Missing and malformed
 * fields are omitted.
 * @throws OpSdkError if the file is not a ClusterServiceVersion
 */
export function describedBy(text: string, file: string): Partial<OperatorDescription> {
  const { spec } = readBase(text, file);
  const provider = isJsonMap(spec['provider']) ? spec['provider'] : {};
  const keywords = spec['keywords'];
  const maintainers = spec['maintainers'];
  const said: Readonly<Record<keyof OperatorDescription, unknown>> = {
    displayName: spec['displayName'],
    description: spec['description'],
    provider: provider['name'],
    providerUrl: provider['url'],
    keywords: Array.isArray(keywords) ? (keywords as unknown[]).map(asText) : undefined,
    maintainers: Array.isArray(maintainers)
      ? (maintainers as unknown[])
          .filter(isJsonMap)
          .map(({ name, email }): Maintainer => ({ name: asText(name), email: asText(email) }))
      : undefined,
  };
  return Object.fromEntries(
    descriptionQuestions.flatMap(({ key, check, write }) => {
      const value = said[key];
      if (value === undefined || value === null || value === '') return [];
      return check(write(value as never)) === undefined ? [[key, value]] : [];
    }),
  );
}

function nameOnly({ kind, name, version }: OwnedName): OwnedName {
  return { kind, name, version };
}

function withDescription(text: string, file: string, said: Partial<OperatorDescription>): string {
  const { displayName, description, provider, providerUrl, keywords, maintainers } = said;
  const spec = {
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
  };
  const providerFields = {
    ...(provider === undefined ? {} : { name: provider }),
    ...(providerUrl === undefined ? {} : { url: providerUrl }),
  };
  let result = text;
  const edit = (byHand: unknown, change: (current: string) => string): void => {
    result = editYaml(file, toYaml({ spec: byHand }), () => change(result));
  };
  edit(spec, (current) => setInYamlMap(current, ['spec'], spec));
  edit({ provider: providerFields }, (current) =>
    setInYamlMap(current, ['spec', 'provider'], providerFields),
  );
  if (keywords !== undefined)
    edit({ keywords }, (current) => replaceYamlList(current, ['spec', 'keywords'], keywords));
  if (maintainers !== undefined)
    edit({ maintainers }, (current) => replaceYamlList(current, ['spec', 'maintainers'], maintainers));
  return result;
}

interface ReadBase {
  readonly spec: JsonMap;
  /** Entries of `spec.customresourcedefinitions.owned`. */
  readonly entries: readonly JsonMap[];
  /** Returns the file and line of the entry with the given index. */
  readonly locate: (index: number) => {
    readonly file: string;
    readonly line: number;
    readonly column: number;
  };
}

const kinds = mapped(object({ owned: list(anyObject) }, { others: 'ignore' }), ({ owned = [] }) => owned);

const baseReader = mapped(
  object(
    {
      kind: oneOf('ClusterServiceVersion'),
      spec: mapped(
        object({ customresourcedefinitions: kinds }, { others: 'ignore' }),
        ({ customresourcedefinitions: owned = [] }, _place, spec) => ({ spec: spec as JsonMap, owned }),
      ),
    },
    { required: { kind: 'write kind: ClusterServiceVersion' }, others: 'ignore' },
  ),
  ({ spec }) => spec,
);

function readBase(text: string, file: string): ReadBase {
  const document = parseYaml(text, file);
  const { value: read, problems } = readJson(baseReader, document.value, 'the base', {
    style: documentStyle,
  });
  if (problems.length > 0)
    throw new OpSdkError(
      problems.map(({ message, path }) => ({
        code: 'bundle/invalid-object',
        message: `${message} (in the base of the ClusterServiceVersion)`,
        where: document.locate(path),
        fix: ['correct the file, or rename it and run the command again, which creates a new file'],
      })),
    );
  const { spec = {}, owned = [] } = read ?? {};
  const path = ['spec', 'customresourcedefinitions', 'owned'];
  return {
    spec,
    entries: owned,
    locate: (index) => document.locate([...path, index]),
  };
}
