import { dirname, join } from 'node:path';
import type { DevBuilder, DevBundle } from '../../../compiler/build/index.ts';
import type { OperatorAccess } from '../../../cluster/index.ts';
import { type Finding, isOpSdkError } from '../../../base/errors/index.ts';
import { renderKustomization } from '../../../kubernetes/kustomize/index.ts';
import { layout } from '../../../project/project/index.ts';
import { changeFor } from '../../../project/scaffold/index.ts';
import { createSourceMemory } from '../../../compiler/schema/index.ts';
import {
  type FileView,
  observe,
  stillHolds,
  type ObservedView,
  type Observations,
  lookBelow,
} from '../../../base/util/observe-files.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { applyInLock, inProjectLock } from '../../project-lock.ts';
import { crdInput, accessInput, webhookInput } from '../input/manifests.ts';
import { readObjects } from '../input/read-objects.ts';
import { generateAndRender } from '../manifests/made-manifests.ts';
import { staleManifests } from '../manifests/manifest-changes.ts';

/** Results of building the project from its sources. */
export interface MadeProject {
  readonly bundle: DevBundle;
  /** Paths of the generated files that were written, relative to the project. */
  readonly written: readonly string[];
  readonly warnings: readonly Finding[];
}

/** Generates the manifests and writes them, as `op-sdk generate manifests` does, then bundles the operator. */
export function sourcesStage(context: CliContext, builder: DevBuilder): Stage<MadeProject> {
  const memory = createSourceMemory();
  return new Stage((files, noteWritten) =>
    inProjectLock(context, { writes: true }, async (locked) => {
      const { cwd } = locked;
      const made = await generateAndRender({ projectDir: cwd, files, memory });
      const stale = await staleManifests(cwd, made.files);
      const changes = [
        ...(await Promise.all(made.files.map((file) => changeFor(cwd, file)))),
        ...stale.changes,
      ];
      const written = changes.filter(({ action }) => action !== 'unchanged');
      if (written.length > 0) await applyInLock(locked, { root: cwd, changes: written });
      // The generated permissions are also an input of this stage, so writing them must not trigger the stage again.
      for (const { path } of written) noteWritten(join(cwd, path));
      const bundle = await builder.build(files);
      return {
        bundle,
        written: written.map(({ path }) => path),
        warnings: [...made.warnings, ...stale.warnings, ...bundle.warnings],
      };
    }),
  );
}

/** Returns the stage that reads the objects of config/crd. */
export function crdsStage(context: CliContext): Stage<readonly PlacedObject[]> {
  return new Stage(async (files) => {
    lookBelow(files, join(context.cwd, layout.crd));
    return (await crdInput(context, {}, 'install')) ?? [];
  });
}

/**
 * Returns the stage that reads the operator's ServiceAccount and its roles. Changes in the folders of CRDs and samples do not trigger it.
 */
export function accessStage(context: CliContext): Stage<OperatorAccess> {
  const others: readonly string[] = [layout.crd, layout.samples].map((folder) => join(context.cwd, folder));
  return new Stage(async (files) => {
    const config = join(context.cwd, dirname(layout.rbac));
    for (const { name, kind } of files.directoryExists(config) ? files.list(config) : []) {
      const folder = join(config, name);
      if (kind === 'folder' && !others.includes(folder)) lookBelow(files, folder);
    }
    return accessInput(context, { isOptional: true });
  });
}

/** Returns the stage that reads the webhook configurations of config/webhook. */
export function webhooksStage(context: CliContext): Stage<readonly PlacedObject[]> {
  return new Stage((files) => {
    lookBelow(files, join(context.cwd, layout.webhookConfig));
    return webhookInput(context, files);
  });
}

/** Returns the stage that reads the objects of config/samples. */
export function samplesStage(context: CliContext): Stage<readonly PlacedObject[]> {
  const { cwd } = context;
  return new Stage(async (files: FileView) => {
    const folder = join(cwd, layout.samples);
    lookBelow(files, folder);
    if (files.fileExists(join(cwd, layout.kustomization(layout.samples))))
      return renderKustomization(layout.samples, { cwd });
    return files.directoryExists(folder) ? readObjects(context, '--samples', [layout.samples]) : [];
  });
}

/**
 * Work of a stage.
 * @param files view of the file system; every read on which the result depends must go through this view
 * @param written must be called for each file that the work writes, so that the file does not trigger the work again
 */
type StageWork<T> = (files: FileView, written: ObservedView['written']) => Promise<T>;

/** Work that is repeated only if files that it has read have changed. */
export class Stage<T> {
  readonly #work: StageWork<T>;
  #seen: Observations | undefined;
  #value: T | undefined;
  #findings: readonly Finding[] | undefined;

  constructor(work: StageWork<T>) {
    this.#work = work;
  }

  /** Result of the last run; undefined before the first run, or if the last run had errors. */
  get value(): T | undefined {
    return this.#findings === undefined ? this.#value : undefined;
  }

  /** Errors of the last run. */
  get findings(): readonly Finding[] | undefined {
    return this.#findings;
  }

  /** Observations of the files that the last run read. Undefined if a file changed during the run, so that the work must run again. */
  get seen(): Observations | undefined {
    return this.#seen;
  }

  /**
   * Runs the work unless no file has changed since the last run.
   * @returns true if the work was run
   * @throws errors that are not errors of the project
   */
  async run(): Promise<boolean> {
    if (this.#seen !== undefined && stillHolds(this.#seen)) return false;
    const observed = observe();
    this.#findings = undefined;
    try {
      this.#value = await this.#work(observed.view, (path) => observed.written(path));
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      this.#findings = error.findings;
    }
    this.#seen = observed.observations();
    return true;
  }
}
