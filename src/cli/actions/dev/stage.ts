import { isOpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { FileView } from '../../../base/util/file-view.ts';
import {
  observe,
  stillHolds,
  type ObservedView,
  type Observations,
} from '../../../base/util/observe-files.ts';

/**
 * The work of a stage.
 * @param files every look at the file system on which the outcome depends goes through it
 * @param written called for files that the work has written: they are no reason to do it again
 */
export type StageWork<T> = (files: FileView, written: ObservedView['written']) => Promise<T>;

/** Work that is done again only when files have changed that it has seen. */
export class Stage<T> {
  readonly #work: StageWork<T>;
  #seen: Observations | undefined;
  #value: T | undefined;
  #findings: readonly Finding[] | undefined;

  constructor(work: StageWork<T>) {
    this.#work = work;
  }

  /** Result; undefined before the first run, and while there are findings. */
  get value(): T | undefined {
    return this.#findings === undefined ? this.#value : undefined;
  }

  /** Errors of the last run. */
  get findings(): readonly Finding[] | undefined {
    return this.#findings;
  }

  /** Observations of the last run; undefined if a file changed meanwhile, so that it must run again. */
  get seen(): Observations | undefined {
    return this.#seen;
  }

  /**
   * Does the work unless nothing has changed since the last time.
   * @returns whether it was done
   * @throws what is not an error of the project
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
