/**
 * Connectors to platforms that start and stop jobs themselves: observed nodes and jobs are imported, and plans are
 * applied there, within the control level that operators set.
 */
@NullMarked
package dev.spur.service.connectors;

import org.jspecify.annotations.NullMarked;
