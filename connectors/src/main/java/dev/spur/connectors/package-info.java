/**
 * Platforms that connectors control. A {@link dev.spur.connectors.Platform} reports nodes and jobs in a common
 * vocabulary and takes single steps on request. Connectors verify each step by the observed state, never by the
 * response.
 */
@NullMarked
package dev.spur.connectors;

import org.jspecify.annotations.NullMarked;
