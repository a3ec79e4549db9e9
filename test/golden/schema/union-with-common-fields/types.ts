import type { CustomResource, Int32, ListMap } from 'opsdk';

interface Common {
  /** Must be unique. */
  name: string;
  weight?: Int32;
}

type Rule = Common & ({ prefix: string } | { exact: string; ignoreCase?: boolean });

interface First extends Common {
  first: string;
}

interface Second extends Common {
  second: string;
}

export interface Sample extends CustomResource {
  spec: {
    rule: Rule;
    rules: ListMap<Rule, 'name'>;
    inherited: First | Second;
  };
}
