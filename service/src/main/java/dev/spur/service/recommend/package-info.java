/**
 * Recommendations over REST: the node type, number of nodes, batch size and strategy that suit a job. Nothing is
 * stored.
 */
@NullMarked
package dev.spur.service.recommend;

import org.jspecify.annotations.NullMarked;
