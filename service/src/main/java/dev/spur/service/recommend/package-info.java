/**
 * Recommendations over REST: which nodes, how many of them, which batch size and strategy suit a job. Nothing is
 * stored.
 */
@NullMarked
package dev.spur.service.recommend;

import org.jspecify.annotations.NullMarked;
