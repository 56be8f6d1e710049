/** Records of past rounds, with the compressed snapshots of their problems. */
@NullMarked
package dev.spur.service.round.history;

import org.jspecify.annotations.NullMarked;
