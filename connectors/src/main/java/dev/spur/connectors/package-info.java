/**
 * What a connector is: a {@link dev.spur.connectors.Platform} shows its nodes and jobs in one vocabulary and takes
 * single steps on request. Nothing here believes an answer; what counts is what the platform shows afterwards.
 */
@NullMarked
package dev.spur.connectors;

import org.jspecify.annotations.NullMarked;
