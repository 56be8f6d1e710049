/** Recommendations for measured models, compared with the best option in hindsight. */
@NullMarked
package dev.spur.benchmarks.recommend;

import org.jspecify.annotations.NullMarked;
