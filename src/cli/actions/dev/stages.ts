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

/** Result of a run that generates the manifests and bundles the operator from the sources of a project. */
export interface MadeProject {
  readonly bundle: DevBundle;
  /** Paths of the generated files that this run wrote, relative to the project. */
  readonly written: readonly string[];
  readonly warnings: readonly Finding[];
}

/** Returns the stage that generates and writes the manifests, as `op-sdk generate manifests` does, and then bundles the operator. */
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
      // The stage also reads the permissions that it writes, so these writes are noted. They must not trigger the stage again.
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
 * Returns the stage that reads the operator's ServiceAccount and its roles. Changes in the folders of CRDs and samples do not trigger this
 * stage.
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
 * Function that does the work of a stage.
 * @param files view of the file system; every read on which the result depends must go through this view
 * @param written must be called for each file that the work writes, so that the file does not trigger the work again
 */
type StageWork<T> = (files: FileView, written: ObservedView['written']) => Promise<T>;

/** Work that is repeated only if a file that the last run read has changed. */
export class Stage<T> {
  readonly #work: StageWork<T>;
  #seen: Observations | undefined;
  #value: T | undefined;
  #findings: readonly Finding[] | undefined;

  constructor(work: StageWork<T>) {
    this.#work = work;
  }

  /** Result of the last run; undefined before the first run, and if the last run had errors. */
  get value(): T | undefined {
    return this.#findings === undefined ? this.#value : undefined;
  }

  /** Errors of the last run; undefined if it had none. */
  get findings(): readonly Finding[] | undefined {
    return this.#findings;
  }

  /** State of the files that the last run read. Undefined if a file changed during the run, because the work must then run again. */
  get seen(): Observations | undefined {
    return this.#seen;
  }

  /**
   * Runs the work, unless none of the files that it read has changed since the last run.
   * @returns true if the work was run
   * @throws errors that are not caused by the project
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
