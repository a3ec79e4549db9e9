/** A label selector as objects have it. Source: apimachinery `metav1.LabelSelector`. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The selector as requests have it: `app=web,tier in (a,b),!old`. */
export function selectorText({ matchLabels, matchExpressions }: LabelSelector): string {
  const equal = Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${(values ?? []).join(',')})`;
  });
  return [...equal, ...expressions].join(',');
}
