/**
 * Plans that wait for an operator: what they would change, and who lets them pass. Rounds make them and carry them out.
 */
@NullMarked
package dev.spur.service.approval;

import org.jspecify.annotations.NullMarked;
