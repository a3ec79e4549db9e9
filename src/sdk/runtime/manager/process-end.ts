/** The part of `operatorMain` that ends the process, as managers see it. */
export interface ProcessEnd {
  /** A manager runs until the returned function is called. */
  running(): () => void;
  /** The process must have ended after these milliseconds. @returns how to call that off */
  endWithin(milliseconds: number, why: string): () => void;
}

const nobody: ProcessEnd = { running: () => () => undefined, endWithin: () => () => undefined };

let current = nobody;

/** Ends the process of an operator that something keeps from ending; does nothing where no `operatorMain` runs. */
export const processEnd = {
  get current(): ProcessEnd {
    return current;
  },
  /** @returns how to hand the task back */
  serve(end: ProcessEnd): () => void {
    current = end;
    return () => {
      if (current === end) current = nobody;
    };
  },
};
