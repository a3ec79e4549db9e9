import type { Int64, IntOrString, ListSet } from 'opsdk';

/** ScrapeProtocol is a format in which metrics are exposed. */
export type ScrapeProtocol =
  | 'PrometheusProto'
  | 'OpenMetricsText0.0.1'
  | 'OpenMetricsText1.0.0'
  | 'PrometheusText0.0.4'
  | 'PrometheusText1.0.0';

/** ScrapeLimits are the limits and formats of a scrape. A scrape that exceeds a limit counts as failed. */
export interface ScrapeLimits {
  /**
   * SampleLimit is the largest number of samples of a scrape.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  sampleLimit?: Int64;
  /**
   * TargetLimit is the largest number of targets of a job.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  targetLimit?: Int64;
  /**
   * LabelLimit is the largest number of labels of a sample.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  labelLimit?: Int64;
  /**
   * LabelNameLengthLimit is the largest length of the name of a label.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  labelNameLengthLimit?: Int64;
  /**
   * LabelValueLengthLimit is the largest length of the value of a label.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  labelValueLengthLimit?: Int64;
  /**
   * KeepDroppedTargets is the number of dropped targets that are kept in memory. It needs Prometheus 2.47.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  keepDroppedTargets?: Int64;
  /** ScrapeProtocols are asked for in this order. They need Prometheus 2.49. */
  scrapeProtocols?: ListSet<ScrapeProtocol>;
  /** FallbackScrapeProtocol is assumed where the answer names none. It needs Prometheus 3.0. */
  fallbackScrapeProtocol?: ScrapeProtocol;
  /** ScrapeClassicHistograms scrapes a classic histogram that is exposed as a native one, too. It needs Prometheus 2.45. */
  scrapeClassicHistograms?: boolean;
  /** ScrapeNativeHistograms scrapes native histograms. It needs Prometheus 3.8. */
  scrapeNativeHistograms?: boolean;
  /** ConvertClassicHistogramsToNHCB converts classic histograms to native ones with custom buckets. It needs Prometheus 3.0. */
  convertClassicHistogramsToNHCB?: boolean;
  /**
   * NativeHistogramBucketLimit is the largest number of buckets of a native histogram. It needs Prometheus 2.45.
   *
   * @minimum 0
   * @maximum 9007199254740991
   */
  nativeHistogramBucketLimit?: Int64;
  /** NativeHistogramMinBucketFactor is the smallest growth factor of buckets, such as `1.1`. It needs Prometheus 2.50. */
  nativeHistogramMinBucketFactor?: IntOrString;
}
