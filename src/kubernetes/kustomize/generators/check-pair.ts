import { isUtf8 } from 'node:buffer';
import type { GeneratorRule } from './generator-rule.ts';
import type { KeyValue } from './key-values.ts';

/** Keys that YAML reads as a number, a boolean, null, a date or a merge: kustomize writes keys without quotes. */
const notText =
  /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?|[-+]?0(?:x[\da-fA-F_]+|o[0-7_]+|b[01_]+)|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|true|True|TRUE|false|False|FALSE|null|Null|NULL|~|<<|\d{4}-\d\d?-\d\d?.*)$/;

/** Characters that go-yaml refuses or, as U+0085, reads as a space. */
const notInYaml = /[\u007f-\u009f\ufffe\uffff]/;

/** Why kustomize cannot write a pair, or writes something else; undefined if it can. */
export function checkPair(
  { kind }: GeneratorRule,
  { key, value }: KeyValue,
): { readonly message: string; readonly fix: string } | undefined {
  if (notText.test(key))
    return {
      message: `the key \`${key}\` is not text to YAML, so that kustomize cannot write it`,
      fix: 'give the key another name',
    };
  const text = kind === 'ConfigMap' && isUtf8(value) ? value.toString('utf8') : '';
  const character = notInYaml.exec(text)?.[0];
  if (character === undefined) return undefined;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    message: `the value of \`${key}\` holds the character U+${code}, which kustomize refuses or changes`,
    fix: 'take the character out, or keep the value in a Secret',
  };
}
