import { join } from 'node:path';
import type { Finding, FindingList } from '../../../base/errors/index.ts';
import { parseYaml } from '../../yaml/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import type { PatchEntry, PathEntry, ReplacementEntry } from '../entries.ts';
import { isStepList } from '../patches/read-patch.ts';
import { BuildFiles, isBelow, limits } from './build-files.ts';
import {
  type Fields,
  type Folder,
  type Generated,
  type LoadedTransformer,
  type Template,
  reportParse,
} from './kustomization.ts';
import { loadConfig, readBuiltinGenerators, readPluginDocuments } from './load-config.ts';
import { GeneratedLoader, folding, type NoteFolded } from './load-generated.ts';
import { readFields } from './read-fields.ts';
import { readTransformers, readReplacementFile } from './read-transformers.ts';
import { readTemplates } from './read-templates.ts';

/** File names that a kustomization may have. */
export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const;

/**
 * Reads and checks a kustomization and all files that it names.
 *
 * @param root path of the folder, with symbolic links resolved
 * @param entry path of the folder as given
 * @param realCwd current folder of the command, with symbolic links resolved
 * @param workaround explains how to render the folder with kustomize instead; used as a fix in findings
 * @param warn receives warnings about output that differs from kustomize's output
 * @returns undefined if the folder cannot be built; the problems are reported as findings
 */
export function loadFolder(
  root: string,
  entry: PathEntry,
  {
    realCwd,
    workaround,
    findings,
    warn,
  }: { realCwd: string; workaround: string; findings: FindingList; warn: (warning: Finding) => void },
): Promise<Folder | undefined> {
  const files = new BuildFiles(realCwd, findings, workaround);
  const loader = new FolderLoader(files, findings, workaround, folding(warn));
  return loader.load(root, entry, []);
}

interface Loaded {
  readonly folder: Folder | undefined;
  /** Paths of this folder and of all folders that it includes. */
  readonly roots: ReadonlySet<string>;
}

class FolderLoader {
  readonly #files: BuildFiles;
  readonly #findings: FindingList;
  readonly #workaround: string;
  readonly #noteFolded: NoteFolded;
  readonly #generated: GeneratedLoader;
  readonly #folders = new Map<string, Loaded>();
  readonly #templates = new Map<string, readonly Template[] | undefined>();

  constructor(files: BuildFiles, findings: FindingList, workaround: string, noteFolded: NoteFolded) {
    this.#files = files;
    this.#findings = findings;
    this.#workaround = workaround;
    this.#noteFolded = noteFolded;
    this.#generated = new GeneratedLoader(files, findings);
  }

  /**
   * Loads a folder.
   * @param chain paths of the folders that include this folder, outermost first
   */
  async load(root: string, entry: PathEntry, chain: readonly string[]): Promise<Folder | undefined> {
    return (await this.#load(root, entry, chain)).folder;
  }

  async #load(root: string, entry: PathEntry, chain: readonly string[]): Promise<Loaded> {
    const known = this.#folders.get(root);
    // Each folder is read only once. However, each chain of folders that leads to the folder must be checked for cycles.
    for (const one of known?.roots ?? [root]) {
      if (this.#isCycle(one, [...chain, ...(one === root ? [] : [root])], entry)) {
        return { folder: undefined, roots: new Set() };
      }
    }
    if (known !== undefined) return known;
    if (chain.length > limits.depth) {
      this.#findings.add({
        code: 'kustomize/too-large',
        message: `the folders are nested too deep: more than ${limits.depth} include each other in a row`,
        where: entry.where,
      });
      return { folder: undefined, roots: new Set() };
    }
    const roots = new Set([root]);
    const folder = await this.#read(root, entry, chain, roots);
    const loaded = { folder, roots };
    this.#folders.set(root, loaded);
    return loaded;
  }

  async #read(
    root: string,
    entry: PathEntry,
    chain: readonly string[],
    roots: Set<string>,
  ): Promise<Folder | undefined> {
    const path = await this.#kustomizationOf(root, entry);
    const text = path === undefined ? undefined : await this.#files.read(path, entry);
    if (path === undefined || text === undefined) return undefined;
    const file = this.#files.shown(path);
    const document = reportParse(this.#findings, () => parseYaml(text, file, 'as-written'));
    if (document === undefined) return undefined;
    const fields = readFields(document, this.#findings, this.#workaround);
    if (fields === undefined) return undefined;

    const inner = [...chain, root];
    const resources: (readonly Template[] | Folder)[] = [];
    for (const resource of fields.resources) {
      const found = await this.#files.find(root, resource);
      if (found?.type === 'file') resources.push((await this.#readTemplates(found.path, resource)) ?? []);
      if (found?.type !== 'folder') continue;
      const folder = await this.#include(found.path, resource, inner, roots, 'Kustomization');
      if (folder !== undefined) resources.push(folder);
    }
    const components: Folder[] = [];
    for (const component of fields.components) {
      const found = await this.#files.find(root, component);
      if (found?.type === 'file') {
        this.#wrong(component, `${component.path} is a file, where the folder of a component is expected`);
      }
      if (found?.type !== 'folder') continue;
      const folder = await this.#include(found.path, component, inner, roots, 'Component');
      if (folder !== undefined) components.push(folder);
    }
    return {
      root,
      file,
      fields,
      resources,
      generated: [
        ...(await this.#generated.load(root, fields.generators, false)),
        ...(await this.#loadGenerators(root, file, fields)),
      ],
      components,
      config: await loadConfig(root, fields, this.#files, this.#findings),
      patches: await this.#readPatches(root, file, fields),
      replacements: await this.#readReplacements(root, fields),
      transformers: await this.#loadTransformers(root, file, fields),
    };
  }

  async #include(
    root: string,
    entry: PathEntry,
    chain: readonly string[],
    roots: Set<string>,
    kind: Fields['kind'],
  ): Promise<Folder | undefined> {
    const { folder, roots: inner } = await this.#load(root, entry, chain);
    for (const one of inner) roots.add(one);
    if (folder === undefined || folder.fields.kind === kind) return folder;
    const [isNow, belongs] =
      kind === 'Component' ? ['not a component', 'resources'] : ['a component', 'components'];
    this.#wrong(
      entry,
      `the folder ${entry.path} is ${isNow}, so it cannot be listed here`,
      `move the line to ${belongs}, or change the kind in ${folder.file}`,
    );
    return undefined;
  }

  /**
   * Returns true and reports a finding if a folder is, or contains, one of the folders that include it. kustomize refuses such a folder,
   * too.
   */
  #isCycle(root: string, chain: readonly string[], { where }: PathEntry): boolean {
    const start = chain.findIndex((visited) => isBelow(root, visited));
    if (start < 0) return false;
    const shown = [...chain.slice(start), root].map((one) => this.#files.shown(one));
    const message =
      chain[start] === root
        ? `the kustomizations include each other in a circle: ${shown.join(' → ')}`
        : `${shown.at(-1)} contains ${shown[0]}, which includes it: ${shown.join(' → ')}`;
    this.#findings.add({
      code: 'kustomize/cycle',
      message,
      where,
      fix: ['move what both of them need into a folder of its own, beside them'],
    });
    return true;
  }

  async #kustomizationOf(root: string, { path, where }: PathEntry): Promise<string | undefined> {
    const paths = kustomizationNames.map((name) => join(root, name));
    const existing: string[] = [];
    for (const one of paths) if (await pathExists(one)) existing.push(one);
    const [first, second] = existing;
    // On a case-insensitive file system, two of the possible names may denote the same file.
    if (first !== undefined && second === undefined) {
      const entry = { path: first, where: { file: this.#files.shown(first) } };
      const found = await this.#files.find(root, entry);
      return found?.type === 'file' ? found.path : undefined;
    }
    const names = existing.map((one) => this.#files.shown(one));
    this.#findings.add({
      code: 'kustomize/no-kustomization',
      message:
        first === undefined
          ? `${path} has no kustomization.yaml`
          : `${path} has several kustomizations: ${names.join(', ')}`,
      where,
      fix: [
        first === undefined
          ? `add ${this.#files.shown(join(root, kustomizationNames[0]))}, or name another folder`
          : 'keep one of them',
      ],
    });
    return undefined;
  }

  async #readTemplates(path: string, entry: PathEntry): Promise<readonly Template[] | undefined> {
    if (!this.#templates.has(path)) {
      const text = await this.#files.read(path, entry);
      const file = this.#files.shown(path);
      const templates = text === undefined ? undefined : readTemplates(text, file, this.#findings);
      if (text !== undefined && templates !== undefined) this.#noteFolded(text, file);
      this.#templates.set(path, templates);
    }
    return this.#templates.get(path);
  }

  async #loadGenerators(
    root: string,
    file: string,
    { generatorPlugins }: Fields,
  ): Promise<readonly Generated[]> {
    const documents = await this.#readPlugins('generators', root, file, generatorPlugins);
    return this.#generated.load(
      root,
      readBuiltinGenerators(documents, this.#findings, this.#workaround),
      true,
    );
  }

  async #loadTransformers(
    root: string,
    file: string,
    { transformerPlugins }: Fields,
  ): Promise<readonly LoadedTransformer[]> {
    const documents = await this.#readPlugins('transformers', root, file, transformerPlugins);
    const loaded: LoadedTransformer[] = [];
    for (const rule of readTransformers(documents, this.#findings, this.#workaround)) {
      if (rule.type === 'patches')
        loaded.push({ type: rule.type, patches: await this.#readPatches(root, rule.file, rule) });
      else if (rule.type === 'replacements')
        loaded.push({ type: rule.type, replacements: await this.#readReplacements(root, rule) });
      else loaded.push(rule);
    }
    return loaded;
  }

  #readPlugins(
    field: 'generators' | 'transformers',
    root: string,
    file: string,
    entries: readonly PathEntry[],
  ): ReturnType<typeof readPluginDocuments> {
    return readPluginDocuments(field, root, file, entries, {
      files: this.#files,
      findings: this.#findings,
      workaround: this.#workaround,
      noteFolded: this.#noteFolded,
    });
  }

  async #readPatches(
    root: string,
    file: string,
    { patches }: Pick<Fields, 'patches'>,
  ): Promise<readonly PatchEntry[]> {
    const entries: PatchEntry[] = [];
    for (const { source, ...patch } of patches) {
      if (source.path === undefined) {
        const text = source.text ?? '';
        if (!isStepList(text)) this.#noteFolded(text, file, patch.where);
        entries.push({ ...patch, text, file });
        continue;
      }
      const read = await this.#files.readEntry(root, source.path);
      if (read === undefined) continue;
      if (!isStepList(read.text)) this.#noteFolded(read.text, read.file);
      entries.push({ ...patch, ...read });
    }
    return entries;
  }

  async #readReplacements(
    root: string,
    { replacements }: Pick<Fields, 'replacements'>,
  ): Promise<readonly ReplacementEntry[]> {
    const entries: ReplacementEntry[] = [];
    for (const { path, ...replacement } of replacements) {
      if (path === undefined) {
        entries.push(replacement);
        continue;
      }
      const read = await this.#files.readEntry(root, path);
      if (read !== undefined) entries.push(...readReplacementFile(read.text, read.file, this.#findings));
    }
    return entries;
  }

  #wrong(entry: PathEntry, message: string, ...fix: readonly string[]): void {
    this.#findings.add({ code: 'kustomize/invalid-value', message, where: entry.where, fix });
  }
}
