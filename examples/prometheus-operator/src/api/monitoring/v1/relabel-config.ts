import type { Int64 } from 'opsdk';

/** RelabelConfig rewrites the labels of a target, a sample or an alert, as `relabel_config` of Prometheus does. */
export interface RelabelConfig {
  /** SourceLabels are the labels whose values are joined with the separator and matched against the regular expression. */
  sourceLabels?: string[];
  /** Separator is written between the values of the source labels. Default: `;`. */
  separator?: string;
  /** TargetLabel is the label that replace, hashmod, lowercase and uppercase write. */
  targetLabel?: string;
  /** Regex is a regular expression of RE2, which must match the whole value. Default: `(.*)`. */
  regex?: string;
  /**
   * Modulus of the hash of the source label values.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  modulus?: Int64;
  /** Replacement is written where the regular expression matches; `$1` or `${1}` is its first group. Default: `$1`. */
  replacement?: string;
  /**
   * Action to perform. `lowercase` and `uppercase` need Prometheus 2.36, `keepequal` and `dropequal` 2.41.
   *
   * @default "replace"
   */
  action?:
    | 'replace'
    | 'Replace'
    | 'keep'
    | 'Keep'
    | 'drop'
    | 'Drop'
    | 'hashmod'
    | 'HashMod'
    | 'labelmap'
    | 'LabelMap'
    | 'labeldrop'
    | 'LabelDrop'
    | 'labelkeep'
    | 'LabelKeep'
    | 'lowercase'
    | 'Lowercase'
    | 'uppercase'
    | 'Uppercase'
    | 'keepequal'
    | 'KeepEqual'
    | 'dropequal'
    | 'DropEqual';
}
