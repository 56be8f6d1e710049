package dev.spur.model;
public final class X { private X() {}
 static double d(String n, double v) { String s = System.getProperty("x." + n); return s == null ? v : Double.parseDouble(s); }
 public static final double LEN_RIGID = d("lenRigid", 0.2), LEN = d("len", 0.2), CATCH = d("catch", 0.5), TOL = d("tol", 2), SHORT = d("short", 600),
  EST = d("est", 0), STOP = d("stop", 2), PROT = d("prot", 1), TIMES = d("times", 2), DRAIN = d("drain", 0.5), STAY = d("stay", 0.05), MAXLIFE = d("maxlife", 1800), MINST = d("minst", 2), IDLE = d("idle", 0.5), SIZE = d("size", 0), EXP1 = d("exp1", 0), STAYR = d("stayr", 0.05), CR = d("cr", 1), CAPR = d("capr", 1e9);
}
