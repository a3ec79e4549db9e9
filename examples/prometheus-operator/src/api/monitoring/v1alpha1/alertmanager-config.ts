import {
  defineResource,
  type CustomResource,
  type Integer,
  type Json,
  type ListMap,
  type ListSet,
} from 'opsdk';
import type { PrometheusDuration } from '../v1/duration.ts';
import type { Receiver } from './receiver.ts';

// After a change of this file, `op-sdk generate manifests` brings the CustomResourceDefinition up to date.

/** Matcher compares a label of an alert. */
export interface Matcher {
  /**
   * Name of the label.
   *
   * @minLength 1
   */
  name: string;
  /** Value that the label is compared with. */
  value?: string;
  /** MatchType is the comparison. Default: `=`, or `=~` if regex is true. */
  matchType?: '!=' | '=' | '=~' | '!~';
  /** Regex is true to match by a regular expression. Deprecated: use matchType. */
  regex?: boolean;
}

/** Route says which receiver gets which alerts, and how often. */
export interface Route {
  /** Receiver is the name of one of the receivers. */
  receiver?: string;
  /** GroupBy are labels; alerts with the same values are notified together. `...` means all labels. */
  groupBy?: ListSet<string>;
  /**
   * GroupWait is how long to wait until a new group is notified.
   *
   * @minLength 1
   */
  groupWait?: PrometheusDuration;
  /**
   * GroupInterval is how long to wait until new alerts of a group are notified.
   *
   * @minLength 1
   */
  groupInterval?: PrometheusDuration;
  /**
   * RepeatInterval is how long to wait until a notification is repeated.
   *
   * @minLength 1
   */
  repeatInterval?: PrometheusDuration;
  /** Matchers of the alerts. The first route also gets the matcher of the namespace. */
  matchers?: Matcher[];
  /** Continue goes on with the next route after a match. The first route always does. */
  continue?: boolean;
  /** Routes below this one, of the same form. */
  routes?: Json[];
  /** MuteTimeIntervals are names of intervals in which nothing is notified. */
  muteTimeIntervals?: ListSet<string>;
  /** ActiveTimeIntervals are names of intervals outside of which nothing is notified. */
  activeTimeIntervals?: ListSet<string>;
}

/** InhibitRule mutes alerts while others fire. */
export interface InhibitRule {
  /** SourceMatch has matchers of the alerts that mute. */
  sourceMatch?: Matcher[];
  /** TargetMatch has matchers of the alerts that are muted. */
  targetMatch?: Matcher[];
  /** Equal are labels that must have the same values. */
  equal?: string[];
}

/** TimeRange is a part of a day. */
export interface TimeRange {
  /**
   * StartTime such as `08:00`.
   *
   * @pattern ^((([01][0-9])|(2[0-3])):[0-5][0-9])$|(^24:00$)
   */
  startTime?: string;
  /**
   * EndTime such as `18:00`.
   *
   * @pattern ^((([01][0-9])|(2[0-3])):[0-5][0-9])$|(^24:00$)
   */
  endTime?: string;
}

/** DayOfMonthRange is a part of a month. Negative days are counted from its end. */
export interface DayOfMonthRange {
  /**
   * Start is the first day.
   *
   * @minimum -31
   * @maximum 31
   */
  start?: Integer;
  /**
   * End is the last day.
   *
   * @minimum -31
   * @maximum 31
   */
  end?: Integer;
}

/** TimePeriod is a period in which all of its parts match. */
export interface TimePeriod {
  /** Times of the day. */
  times?: TimeRange[];
  /** Weekdays such as `monday:friday`. */
  weekdays?: string[];
  /** DaysOfMonth are days. */
  daysOfMonth?: DayOfMonthRange[];
  /** Months such as `january` or `3:5`. */
  months?: string[];
  /** Years such as `2026:2027`. */
  years?: string[];
}

/** TimeInterval is a number of periods with a name. */
export interface TimeInterval {
  /** Name of the interval. */
  name: string;
  /** TimeIntervals are the periods. */
  timeIntervals?: TimePeriod[];
}

/** AlertmanagerConfigSpec is a part of the configuration of Alertmanagers. */
export interface AlertmanagerConfigSpec {
  /** Route of the alerts of the namespace. */
  route?: Route;
  /** Receivers of notifications. */
  receivers?: ListMap<Receiver, 'name'>;
  /** InhibitRules mute alerts of the namespace. */
  inhibitRules?: InhibitRule[];
  /** MuteTimeIntervals are intervals that routes name. */
  muteTimeIntervals?: TimeInterval[];
}

/** AlertmanagerConfig is the part of the configuration of Alertmanagers that concerns a namespace. */
export interface AlertmanagerConfig extends CustomResource<
  'monitoring.coreos.com/v1alpha1',
  'AlertmanagerConfig'
> {
  spec: AlertmanagerConfigSpec;
}

export const AlertmanagerConfig = defineResource<AlertmanagerConfig>({
  group: 'monitoring.coreos.com',
  version: 'v1alpha1',
  kind: 'AlertmanagerConfig',
  scope: 'Namespaced',
  shortNames: ['amcfg'],
  categories: ['prometheus-operator'],
  storage: true,
});
