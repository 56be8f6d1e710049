/** Recommendations for measured models, held against what would have been best. */
@NullMarked
package dev.spur.benchmarks.recommend;

import org.jspecify.annotations.NullMarked;
