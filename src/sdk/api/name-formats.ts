/** Format of a name by which programs recognize a state or its cause, such as the reason of a condition. */
export interface NameFormat {
  readonly pattern: RegExp;
  /** Maximum number of characters. */
  readonly longest: number;
}

/** Format of a condition's type. Source: the kubebuilder markers of apimachinery `metav1.Condition`. */
export const conditionTypeFormat: NameFormat = {
  pattern:
    /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
  longest: 316,
};

/** Format of a condition's reason. Source: the kubebuilder markers of apimachinery `metav1.Condition`. */
export const conditionReasonFormat: NameFormat = {
  pattern: /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/,
  longest: 1024,
};

/**
 * Format of the reason and the action of an Event. The API server checks only the length; CamelCase is the convention. Sources: its
 * `ValidateEventCreate`; Kubernetes API conventions, "Events".
 */
export const eventNameFormat: NameFormat = { pattern: /^[A-Z][A-Za-z0-9]*$/, longest: 128 };

/** Returns true if a text has a format. Callers in JavaScript may pass any value. */
export function hasFormat(text: unknown, { pattern, longest }: NameFormat): boolean {
  return typeof text === 'string' && text.length <= longest && pattern.test(text);
}
