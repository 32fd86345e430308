// Minimax polynomials, lowest power first: found by Remez exchange for the smallest largest relative error of
// the whole function, which is noted, on the interval that its caller reduces to.
#pragma once

#include "real.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA::fitted {

// exp(r) = 1 + r + r^2 p(r)
template <class T> [[gnu::always_inline]] inline T exp(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-28.0
    return polynomial(u, 0.49999994f, 0.166665211f, 0.041668389f, 0.00836874545f, 0.00138145417f);
  } else {  // relative error 2^-56.3
    return by_halves(u, 0.50000000000000111, 0.1666666666666641, 0.041666666666529732,
                     0.008333333333494973, 0.0013888888943759425, 0.00019841269505773424,
                     2.480149295022041e-05, 2.7557586811836531e-06, 2.7630306034526073e-07,
                     2.5000014432756002e-08);
  }
}

// 2^r = 1 + r p(r)
template <class T> [[gnu::always_inline]] inline T exp2(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-25.9
    return polynomial(u, 0.693147182f, 0.240226477f, 0.0555033237f, 0.00961843785f, 0.00133989519f,
                      0.000153532994f);
  } else {  // relative error 2^-55.1
    return by_halves(u, 0.69314718055994529, 0.2402265069591013, 0.055504108664820077,
                     0.0096181291075939559, 0.0013333558146776234, 0.00015403530457340346,
                     1.5252733492052285e-05, 1.3215435159302069e-06, 1.0178199826812239e-07,
                     7.0738057893626562e-09, 4.4347608950353324e-10);
  }
}

// 2 atanh(s) = 2 s + s z p(z), z = s^2
template <class T> [[gnu::always_inline]] inline T log(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-28.0
    return polynomial(u, 0.666670024f, 0.39952448f, 0.304733455f);
  } else {  // relative error 2^-60.1
    return by_halves(u, 0.66666666666666552, 0.40000000000085151, 0.28571428549287542,
                     0.22222225003241458, 0.18181625301023419, 0.15392384859847805,
                     0.13153003198434912, 0.13977450233849345);
  }
}

// log2(1 + t) = t / ln 2 + t^2 p(t)
template <class T> [[gnu::always_inline]] inline T log2(T u) {
  // relative error 2^-26.0
  return by_halves(u, -0.721347511f, 0.480903774f, -0.360682726f, 0.288303226f, -0.239785835f,
                   0.208892301f, -0.193358064f, 0.163296849f, -0.0795393437f);
}

// log10(1 + t) = t / ln 10 + t^2 p(t)
template <class T> [[gnu::always_inline]] inline T log10(T u) {
  // relative error 2^-25.3
  return by_halves(u, -0.217147246f, 0.14476189f, -0.10857223f, 0.0869955719f, -0.0724393204f,
                   0.0597880855f, -0.0533937141f, 0.0639646277f, -0.0511773825f);
}

// 2 / ln 2 atanh(s) = 2 / ln 2 s + s z p(z), z = s^2
template <class T> [[gnu::always_inline]] inline T pow_log2(T u) {
  // relative error 2^-32.1
  return polynomial(u, 0.961796701f, 0.577082872f, 0.411704212f, 0.34026283f);
}

// 2 / ln 2 atanh(s) = 2 / ln 2 (s + s^3 / 3) + s^5 p(z), z = s^2
template <class T> [[gnu::always_inline]] inline T pow_log2_far(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-36.0
    return polynomial(u, 0.57708025f, 0.411846519f, 0.337898612f);
  } else {  // relative error 2^-65.7
    return by_halves(u, 0.57707801635558498, 0.41219858311137475, 0.32059889790680085,
                     0.26230819929998406, 0.22195223114998994, 0.19240269622983869,
                     0.16842576461917369, 0.17301741647195557);
  }
}

// sin(r) = r + r z p(z), z = r^2
template <class T> [[gnu::always_inline]] inline T sin(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-27.7
    return polynomial(u, -0.166666538f, 0.0083321128f, -0.000195087414f);
  } else {  // relative error 2^-56.6
    return polynomial(u, -0.16666666666666627, 0.0083333333333209404, -0.00019841269828618847,
                      2.755731327603444e-06, -2.5050692476477974e-08, 1.5892961733120003e-10);
  }
}

// cos(r) = 1 - z / 2 + z^2 p(z), z = r^2
template <class T> [[gnu::always_inline]] inline T cos(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-30.2
    return polynomial(u, 0.0416666456f, -0.00138872513f, 2.44256826e-05f);
  } else {  // relative error 2^-59.3
    return polynomial(u, 0.041666666666666581, -0.0013888888888871375, 2.4801587287782718e-05,
                      -2.7557313865458921e-07, 2.0875657558334886e-09, -1.1356265810127162e-11);
  }
}

// asin(s) = s + s z p(z), z = s^2
template <class T> [[gnu::always_inline]] inline T asin(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-27.3
    return polynomial(u, 0.166667521f, 0.0749529749f, 0.0454703718f, 0.0241795313f, 0.0421662815f);
  } else {  // relative error 2^-55.8
    return by_halves(u, 0.16666666666665408, 0.075000000003369816, 0.044642856828354248,
                     0.030381959135948655, 0.022371758073894382, 0.017359704420474572,
                     0.013885238777261211, 0.012169190237801764, 0.0065280667153884914,
                     0.019528017646187813, -0.016223868289004843, 0.031912008833954009);
  }
}

// atan(s) = s + s z p(z), z = s^2
template <class T> [[gnu::always_inline]] inline T atan(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-28.2
    return polynomial(u, -0.333333164f, 0.199984699f, -0.142435119f, 0.10593643f, -0.0607776605f);
  } else {  // relative error 2^-57.4
    return by_halves(u, -0.33333333333333198, 0.19999999999953166, -0.14285714280157888,
                     0.11111110781701643, -0.090908977117052106, 0.076920594682173785,
                     -0.06663096284898512, 0.058478374553336883, -0.05039089683523585,
                     0.038059522343527198, -0.017902113144386139);
  }
}

// erf(x) / x = 2 / sqrt(pi) + z p(z), z = x^2
template <class T> [[gnu::always_inline]] inline T erf(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-28.3
    return polynomial(u, -0.376126319f, 0.112835824f, -0.0268465206f, 0.00514249038f,
                      -0.000698230055f);
  } else {  // relative error 2^-56.2
    return by_halves(u, -0.37612638903183748, 0.11283791670954485, -0.026866170644912497,
                     0.0052239776217356555, -0.00085483266619663847, 0.00012055311132850644,
                     -1.4924803857851741e-05, 1.6441016240386139e-06, -1.6037251908396892e-07,
                     1.1860705766826818e-08);
  }
}

// exp(-a^2) / erfc(a) = sqrt(pi) a + 7/8 + above(a) / below(a)
template <class T> [[gnu::always_inline]] inline T erfc_above(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-25.8
    return by_halves(u, 0.246874973f, -0.952837586f, -0.910201073f, -0.376890153f, -0.0670152456f);
  } else {  // relative error 2^-58.1
    return by_halves(u, 0.16562499999999999, -0.46115356047555117, -1.1990630444855521,
                     -1.2570497463222909, -0.80617299777925489, -0.35461700579890132,
                     -0.11139685018565094, -0.025061767015723144, -0.0039115438054328914,
                     -0.00038734160925797743, -1.8807584681616492e-05);
  }
}

template <class T> [[gnu::always_inline]] inline T erfc_below(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-25.8
    return by_halves(u, 1.97500002f, 2.55365682f, 1.55950415f, 0.507962763f, 0.0765996873f);
  } else {  // relative error 2^-58.1
    return by_halves(u, 1.325, 3.1379631645816217, 3.6798175342059496, 2.7636664748408788,
                     1.4589760295397156, 0.56328735080108494, 0.16089609280521588,
                     0.033624384024058276, 0.0049407412803654195, 0.00046444629685958968,
                     2.149438249340978e-05);
  }
}

// 2 exp(-a^2 / 2) / erfc(a / sqrt 2) = sqrt(2 pi) a + 7/4 + above / below
template <class T> [[gnu::always_inline]] inline T normal_above(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-25.8
    return by_halves(u, 0.449999928f, -1.2281065f, -0.829574406f, -0.242905498f, -0.030543061f);
  } else {  // relative error 2^-58.0
    return by_halves(u, 0.42499999999999999, -0.83676987934987412, -1.538371088479163,
                     -1.1403527422439348, -0.51711140313560366, -0.16083650287863435,
                     -0.03572453234933156, -0.0056829357841606939, -0.00062715503722620173,
                     -4.3912068031985558e-05, -1.5075837329543188e-06);
  }
}

template <class T> [[gnu::always_inline]] inline T normal_below(T u) {
  if constexpr (kSingle<T>) {  // relative error 2^-25.8
    return by_halves(u, 1.79999995f, 1.64574456f, 0.71069473f, 0.163692519f, 0.0174556747f);
  } else {  // relative error 2^-58.0
    return by_halves(u, 1.7, 2.8467627231723336, 2.3604862734550993, 1.2535243019291067,
                     0.46791488834048434, 0.1277378431810049, 0.025799122102262838,
                     0.0038122575883919631, 0.00039608338376412848, 2.632655381678899e-05,
                     8.6147641883641797e-07);
  }
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA::fitted
